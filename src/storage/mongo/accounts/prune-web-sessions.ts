import type { MongoContext } from '../engine/context.ts';
import { reading, writing } from '../engine/operation-options.ts';

/** Maximum sessions removed per call of `pruneWebSessions`. */
const SLICE_ROWS = 2000;

/** Removes a slice of expired rows; returns the number removed. */
export async function pruneWebSessions({ collections, now }: MongoContext): Promise<number> {
  const over = { endsAt: { $lte: now() } };
  const rows = await collections.webSessions
    .find(over, reading('web_sessions.over', { _id: 1 }))
    .limit(SLICE_ROWS)
    .toArray();
  if (rows.length > 0) {
    const ids = rows.map(({ _id }) => _id);
    await collections.webSessions.deleteMany({ _id: { $in: ids } }, writing('web_sessions.remove_over'));
  }
  return rows.length;
}
