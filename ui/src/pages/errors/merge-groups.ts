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

/** Merges any number of errors into one of them. Throws an `ApiFailure`. */
export async function mergeInParts(project: string, lead: string, others: readonly string[]): Promise<void> {
  for (const part of inParts(others)) await mergeErrors(project, [lead, ...part]);
}

/** Takes any number of errors out of the one that they were merged into. Throws an `ApiFailure`. */
export async function unmergeInParts(project: string, root: string, ids: readonly string[]): Promise<void> {
  for (const part of inParts(ids)) await unmergeErrors(project, root, part);
}

async function takeOut(project: string, root: string, [lead, ...members]: Group): Promise<void> {
  await unmergeInParts(project, root, [lead, ...members]);
  // Each stands alone now, those that were one before too.
  await mergeInParts(project, lead, members);
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
