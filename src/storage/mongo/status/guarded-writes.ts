import type { ErrorUpdate } from './triage-commands.ts';
import { writeErrors } from './triage-commands.ts';
import type { MongoContext } from '../engine/context.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';
import type { writing } from '../engine/operation-options.ts';
import { loadGroups, type ErrorGroup } from '../errors/error-groups.ts';
import { STATE_MEMBERS, type StateMembers } from '../search/matching-errors.ts';

export type StatedRoot = ErrorGroup<Pick<ErrorDocument, StateMembers>>['root'];

/** Writes about one error. */
export interface GroupWrites {
  /** Number of its root. */
  readonly id: number;
  /** Has the filter that finds the root only as it was read. */
  readonly root: ErrorUpdate;
  /** Writes about the members; their filters find them only as they were read. */
  readonly members: readonly ErrorUpdate[];
}

/**
 * Writes roots that are still as they were read, and then the members of those. So of two requests at once one wins for
 * all members of an error. Returns the roots that another request has changed, as they are now, by their numbers.
 */
export async function writeIfUnchanged(
  context: MongoContext,
  p: number,
  writes: readonly GroupWrites[],
  isWritten: (root: StatedRoot) => boolean,
  name: Parameters<typeof writing>[0],
): Promise<ReadonlyMap<number, StatedRoot>> {
  const roots = writes.map(({ root }) => root);
  const lost = new Map<number, StatedRoot>();
  if ((await writeErrors(context, p, roots, name)) < roots.length) {
    const ids = writes.map(({ id }) => String(id));
    for (const { root } of await loadGroups<StateMembers>(context, p, ids, STATE_MEMBERS)) {
      if (!isWritten(root)) lost.set(root.id, root);
    }
  }
  const members = writes.filter(({ id }) => !lost.has(id)).flatMap((write) => write.members);
  await writeErrors(context, p, members, name);
  return lost;
}
