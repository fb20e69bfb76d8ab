import type { StatusBefore } from '../../../domain/ports/list-store.ts';
import { assignments, requireMember, writeErrors } from '../commands/triage-commands.ts';
import type { MongoContext } from '../context.ts';
import { groupsOf } from '../views/error-groups.ts';
import { requireBulkStep } from './bulk-status.ts';
import { STATE_MEMBERS, toStatusBefore, type StateMembers } from './tab-counts.ts';

/** Writes all in one bulk. One that is assigned so already is left as it is. */
export async function setAssignees(
  context: MongoContext,
  p: number,
  errorIds: readonly string[],
  assigneeId: number | null,
  userId: number | null,
  now: number,
): Promise<StatusBefore[]> {
  requireBulkStep(errorIds);
  const groups = await groupsOf<StateMembers>(context, p, errorIds, STATE_MEMBERS);
  if (groups.length === 0) return [];
  await requireMember(context, p, assigneeId);
  const others = groups.filter(({ root }) => (root.as ?? null) !== assigneeId);
  await writeErrors(
    context,
    p,
    others.flatMap((group) => assignments(group, assigneeId, userId, now)),
  );
  return groups.map(({ root }) => toStatusBefore(root, now));
}
