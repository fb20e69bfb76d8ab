import PQueue from 'p-queue';
import { STATUS_CODES } from '../../errors/error-status.ts';
import type { MongoContext } from '../engine/context.ts';
import { orderKey } from '../documents/error-indexes.ts';
import { reading } from '../engine/operation-options.ts';
import { lastSeen } from './newest-errors.ts';

/** Remembered for a project without errors. */
const NEVER = 0;

/** Projects that are read on their own at the same time. */
const READS_AT_ONCE = 4;

/** Key under which the time of the last occurrence in a project is remembered. */
const boundOf = (p: number) => `errors.last_in_projects ${p}`;

/**
 * Returns when an error of each project was seen last; absent: it has none. One query reads the errors since the times
 * that were found before, which are few. A project without such a time, or whose last error is gone, is read on its
 * own.
 */
export async function lastSeenOf(context: MongoContext, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const { collections, pageBounds } = context;
  const known = ids.flatMap((p) => {
    const since = pageBounds.get(boundOf(p))?.value;
    return since === undefined ? [] : [{ p, st: { $in: Object.values(STATUS_CODES) }, 'last.at': { $gte: since } }];
  });
  const stages = [{ $match: { $or: known } }, { $group: { _id: '$p', at: { $max: '$last.at' } } }];
  const options = { ...reading('errors.last_in_projects'), hint: orderKey('last.at') };
  const rows =
    known.length === 0
      ? []
      : await collections.errors.aggregate<{ readonly _id: number; readonly at: number }>(stages, options).toArray();
  const found = new Map(rows.map(({ _id, at }) => [_id, at]));
  const others = ids.filter((p) => !found.has(p) && pageBounds.get(boundOf(p))?.value !== NEVER);
  const queue = new PQueue({ concurrency: READS_AT_ONCE });
  const times = await queue.addAll(others.map((p) => async () => [p, (await lastSeen(context, p)) ?? NEVER] as const));
  for (const [p, value] of [...found, ...times]) pageBounds.set(boundOf(p), { value, id: '' });
  return new Map([...found, ...times.filter(([, at]) => at !== NEVER)]);
}
