import type { ChangedError } from '../../../domain/ports/stores/list-store.ts';
import { assignments, requireAssignee, writeErrors, type ErrorUpdate } from './triage-commands.ts';
import type { MongoContext } from '../engine/context.ts';
import { loadGroups } from '../errors/error-groups.ts';
import { requireBulkStep } from '../../errors/bulk-step.ts';
import { writeIfUnchanged, type GroupWrites, type StatedRoot } from './guarded-writes.ts';
import { STATE_MEMBERS, toStatusBefore, type StateMembers } from '../search/matching-errors.ts';

/** Writes all in one bulk, or with `from` the roots first. One that is assigned so already is left as it is. */
export async function setAssignees(
  context: MongoContext,
  p: number,
  errorIds: readonly string[],
  assigneeId: number | null,
  userId: number | null,
  now: number,
  from?: number | null,
): Promise<ChangedError[]> {
  requireBulkStep(errorIds);
  const groups = await loadGroups<StateMembers>(context, p, errorIds, STATE_MEMBERS);
  if (groups.length === 0) return [];
  await requireAssignee(context, p, assigneeId);
  const isAs = ({ as = null }: StatedRoot, assignee: number | null) => as === assignee;
  const asked = groups.filter(({ root }) => !isAs(root, assigneeId) && (from === undefined || isAs(root, from)));
  const updatesOf = (group: (typeof groups)[number]) => assignments(group, assigneeId, userId, now);
  let lost: ReadonlyMap<number, StatedRoot> = new Map();
  if (from === undefined) {
    await writeErrors(context, p, asked.flatMap(updatesOf));
  } else {
    const writes = asked.flatMap((group): GroupWrites[] => {
      const asRead = (update: ErrorUpdate, at: number) => ({
        ...update,
        filter: { as: group.members[at]?.as ?? null },
      });
      const [root, ...members] = updatesOf(group).map(asRead);
      return root === undefined ? [] : [{ id: group.root.id, root, members }];
    });
    lost = await writeIfUnchanged(context, p, writes, (root) => isAs(root, assigneeId), 'errors.triage');
  }
  return groups.map(({ root }) => {
    const skipped = lost.has(root.id) || (from !== undefined && !isAs(root, from));
    return { ...toStatusBefore(lost.get(root.id) ?? root, now), skipped };
  });
}
