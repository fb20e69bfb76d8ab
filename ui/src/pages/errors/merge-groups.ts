import { getError } from '../../api/errors-api.ts';
import { MAX_NAMED, mergeErrors, unmergeErrors } from '../../api/merge-api.ts';

/** Id of an error, followed by the ids of errors merged into it before. */
type Group = readonly [string, ...string[]];

export interface MergedGroups {
  /** Id of the error that the others were merged into. */
  readonly root: string;
  /** Restores the previous errors, including earlier merges. */
  readonly undo: () => Promise<void>;
}

async function groupOf(project: string, errorId: string): Promise<Group> {
  const { id, merged } = await getError(project, errorId);
  return [id, ...(merged ?? []).map((member) => member.id)];
}

/** Splits ids into parts of the maximum for one request. */
function inParts(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / MAX_NAMED) }, (_, part) =>
    ids.slice(part * MAX_NAMED, (part + 1) * MAX_NAMED),
  );
}

/** Merges any number of errors in several requests. Throws an `ApiFailure`. */
export async function mergeInParts(project: string, lead: string, others: readonly string[]): Promise<void> {
  for (const part of inParts(others)) await mergeErrors(project, [lead, ...part]);
}

/** Unmerges any number of errors in several requests. Throws an `ApiFailure`. */
export async function unmergeInParts(project: string, root: string, ids: readonly string[]): Promise<void> {
  for (const part of inParts(ids)) await unmergeErrors(project, root, part);
}

async function takeOut(project: string, root: string, [lead, ...members]: Group): Promise<void> {
  await unmergeInParts(project, root, [lead, ...members]);
  // All members are separate now; merges those that were merged before.
  await mergeInParts(project, lead, members);
}

/** Merges errors, and keeps their previous groups for an undo. Throws an `ApiFailure`. */
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
