import { getError } from '../../api/errors-api.ts';
import { MAX_NAMED, mergeErrors, unmergeErrors } from '../../api/merge-api.ts';

/** Ids of an error and of what had been merged into it, the error's own first. */
type Group = readonly [string, ...string[]];

export interface MergedGroups {
  /** Id of the error that all of them are now. */
  readonly root: string;
  /** Makes of it again what there was, errors that had been merged of several before included. */
  readonly undo: () => Promise<void>;
}

async function groupOf(project: string, errorId: string): Promise<Group> {
  const { id, merged } = await getError(project, errorId);
  return [id, ...(merged ?? []).map((member) => member.id)];
}

/** As many at a time as one request may name. */
function inParts(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / MAX_NAMED) }, (_, part) =>
    ids.slice(part * MAX_NAMED, (part + 1) * MAX_NAMED),
  );
}

async function takeOut(project: string, root: string, group: Group): Promise<void> {
  const [lead, ...members] = group;
  for (const part of inParts(group)) await unmergeErrors(project, root, part);
  // Each stands alone now, those that were one before too.
  for (const part of inParts(members)) await mergeErrors(project, [lead, ...part]);
}

/** Makes one error of several, and remembers what each of them was. Throws an `ApiFailure`. */
export async function mergeGroups(project: string, ids: readonly string[]): Promise<MergedGroups> {
  const groups = await Promise.all(ids.map((id) => groupOf(project, id)));
  const { id: root } = await mergeErrors(project, ids);
  const others = groups.filter((group) => !group.includes(root));
  return {
    root,
    undo: async () => {
      for (const group of others) await takeOut(project, root, group);
    },
  };
}
