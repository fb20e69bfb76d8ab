import { statusParticulars, type ActivityEntry, type StatusChange } from '../../../domain/errors/error-state.ts';
import { detailsToStore, needsNewestRelease } from '../../../domain/errors/status-details.ts';
import type { ErrorStatus } from '../../../domain/errors/error-status.ts';
import type { MongoContext } from '../engine/context.ts';
import { writing } from '../engine/operation-options.ts';
import { statusMembers, statusUpdate, type NewStatus } from '../updates/status-members.ts';
import { groupOf, type ErrorGroup } from '../errors/error-groups.ts';
import { newestRelease } from '../releases/newest-release.ts';

/**
 * Sets the status of an error. Every member of a merged error gets it, so that it keeps it after separation. Filters
 * contain the keys, so that they reach one shard only.
 */
export async function setErrorStatus(
  context: MongoContext,
  p: number,
  errorId: string,
  status: ErrorStatus,
  now: number,
  change: StatusChange = {},
): Promise<boolean> {
  const group = await groupOf<'st' | 'det'>(context, p, errorId, { st: 1, det: 1 });
  if (group === null) return false;
  const release = needsNewestRelease(change.details) ? await newestRelease(context, p, Infinity) : null;
  const details = detailsToStore(status, change.details, release);
  const { st, det } = statusMembers({ status, details });
  const same = group.root.st === st && (group.root.det ?? null) === det;
  const particulars = statusParticulars(details, change);
  const entry: ActivityEntry = { at: now, kind: status, userId: change.userId ?? null, details: particulars };
  const resolvedAt = Math.max(now, ...group.members.map(({ rcv }) => rcv));
  const given = { status, details, resolvedAt, coversReceipts: true, changedAt: now };
  return (await putStatus(context, p, group, given, same ? null : entry)) > 0;
}

/** Writes a status to all members of an error, and the entry to the root's log; returns the number of members. */
export async function putStatus(
  { collections }: Pick<MongoContext, 'collections'>,
  p: number,
  { root, members }: Pick<ErrorGroup<unknown>, 'root' | 'members'>,
  status: NewStatus,
  entry: ActivityEntry | null,
): Promise<number> {
  const operations = [...members]
    .sort((a, b) => Buffer.compare(a._id.buffer, b._id.buffer))
    .map(({ _id, id }) => {
      const isRoot = id === root.id;
      return { updateOne: { filter: { _id, p }, update: statusUpdate(status, isRoot, isRoot ? entry : null) } };
    });
  const options = { ...writing('errors.set_status'), ordered: false };
  return (await collections.errors.bulkWrite(operations, options)).matchedCount;
}
