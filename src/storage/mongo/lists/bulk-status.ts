import { AppError } from '../../../domain/app-error.ts';
import type { ActivityEntry, StatusChange } from '../../../domain/error-state.ts';
import { MAX_BULK_STEP, type StatusBefore } from '../../../domain/ports/list-store.ts';
import { detailsToStore, needsNewestRelease } from '../../../domain/status-details.ts';
import type { ErrorStatus } from '../../../domain/tracked-error.ts';
import { LOOKED_AT } from '../alerts/marks.ts';
import type { MongoContext } from '../context.ts';
import { writing } from '../operation-options.ts';
import { statusMembers, statusUpdate } from '../status-members.ts';
import { groupsOf } from '../views/error-groups.ts';
import { newestRelease } from '../views/newest-release.ts';
import { STATE_MEMBERS, toStatusBefore, type StateMembers } from './tab-counts.ts';

/** Throws `bad_request` for more errors than a bulk command takes. */
export function requireBulkStep(errorIds: readonly string[]): void {
  if (errorIds.length > MAX_BULK_STEP) {
    throw new AppError('bad_request', `at most ${MAX_BULK_STEP} errors can be changed at once`);
  }
}

/**
 * Writes all in one bulk. An error that has the status and details already only counts as looked at. Its root is
 * written while it has another state, so of two gateways at once one records the change.
 */
export async function setErrorStatuses(
  context: MongoContext,
  p: number,
  errorIds: readonly string[],
  status: ErrorStatus,
  now: number,
  change: StatusChange = {},
): Promise<StatusBefore[]> {
  requireBulkStep(errorIds);
  const groups = await groupsOf<StateMembers>(context, p, errorIds, STATE_MEMBERS);
  if (groups.length === 0) return [];
  const release = needsNewestRelease(change.details) ? await newestRelease(context, p, Infinity) : null;
  const details = detailsToStore(status, change.details, release);
  const particulars = details === null ? {} : { status: details };
  const entry: ActivityEntry = { at: now, kind: status, userId: change.userId ?? null, details: particulars };
  const { st, det } = statusMembers({ status, details });
  const operations = groups.flatMap(({ root, members }) => {
    const same = root.st === st && (root.det ?? null) === det;
    const resolvedAt = Math.max(now, ...members.map(({ rcv }) => rcv));
    const given = { status, details, resolvedAt, coversReceipts: true, changedAt: now };
    return members.map(({ _id, id }) => {
      const isRoot = id === root.id;
      const another = isRoot && !same ? { $nor: [{ st, det }] } : {};
      const update = same ? LOOKED_AT : statusUpdate(given, isRoot, isRoot ? entry : null);
      return { updateOne: { filter: { _id, p, ...another }, update } };
    });
  });
  operations.sort((a, b) => Buffer.compare(a.updateOne.filter._id.buffer, b.updateOne.filter._id.buffer));
  await context.collections.errors.bulkWrite(operations, { ...writing('errors.set_statuses'), ordered: false });
  return groups.map(({ root }) => toStatusBefore(root, now));
}
