import type { ErrorStatus } from '../../../domain/tracked-error.ts';
import type { MongoContext } from '../context.ts';
import { statusUpdate } from '../documents.ts';
import { writing } from '../operation-options.ts';
import { groupOf } from '../views/error-groups.ts';

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
): Promise<boolean> {
  const group = await groupOf(context, p, errorId);
  if (group === null) return false;
  const newest = Math.max(now, ...group.members.map(({ rcv }) => rcv));
  const operations = group.members
    .map(({ _id }) => _id)
    .sort((a, b) => Buffer.compare(a.buffer, b.buffer))
    .map((_id) => ({ updateOne: { filter: { _id, p }, update: statusUpdate(status, newest, now) } }));
  const { matchedCount } = await context.collections.errors.bulkWrite(operations, {
    ...writing('errors.set_status'),
    ordered: false,
  });
  return matchedCount > 0;
}
