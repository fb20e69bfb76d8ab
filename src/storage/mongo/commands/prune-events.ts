import type { PruneLimits } from '../../../domain/ports/maintenance-store.ts';
import type { MongoContext } from '../context.ts';
import { WITH_PAYLOAD, type EventDocument } from '../documents.ts';
import { reading } from '../operation-options.ts';
import {
  countDown,
  deleteEvents,
  NOTHING_REMOVED,
  removePayloads,
  STORED_PAYLOAD,
  type RemovedPayloads,
  type StoredPayload,
} from './payload-removal.ts';
import { SLICE_ROWS, type PruneWalk } from './prune-walk.ts';

/** Maximum events per search for old keys; those with payloads are skipped. */
const KEYS_AT_ONCE = 10_000;
/** Milliseconds after which the walk over payloads restarts, for late events with an early time of receipt. */
const WALK_MS = 86_400_000;
/** Milliseconds after which the walk over keys restarts. */
const KEY_WALK_MS = 7 * WALK_MS;

/** Removes a slice of payloads by age, with their keys that are also old. */
export async function pruneOldEvents(
  context: MongoContext,
  walk: PruneWalk,
  { receivedBefore, keysReceivedBefore }: PruneLimits,
): Promise<RemovedPayloads> {
  if (receivedBefore === null) return NOTHING_REMOVED;
  const { collections, now } = context;
  if (Math.abs(now() - walk.payloadsSince) > WALK_MS) {
    walk.payloadsFrom = 0;
    walk.payloadsSince = now();
  }
  const rows = await collections.events
    .find<StoredPayload>(
      { r: { $gte: walk.payloadsFrom, $lt: receivedBefore }, ...WITH_PAYLOAD },
      reading('events.old', STORED_PAYLOAD),
    )
    .sort({ r: 1 })
    .limit(SLICE_ROWS)
    .toArray();
  const removed = await removePayloads(context, rows, keysReceivedBefore);
  await countDown(context, rows);
  walk.payloadsFrom = rows.length < SLICE_ROWS ? Math.max(walk.payloadsFrom, receivedBefore) : (rows.at(-1)?.r ?? 0);
  return removed;
}

/**
 * Removes a slice of event keys by age, but never before their payload: a stored event stays readable. A key with a
 * payload is removed with it later, so the walk does not return to it.
 */
export async function pruneKeys(
  context: MongoContext,
  walk: PruneWalk,
  before: number,
): Promise<{ removed: number; done: boolean }> {
  const { collections, now } = context;
  if (Math.abs(now() - walk.keysSince) > KEY_WALK_MS) {
    walk.keysFrom = 0;
    walk.keysSince = now();
  }
  const range = { $gte: walk.keysFrom, $lt: before };
  const [end] = await collections.events
    .find<Pick<EventDocument, 'r'>>({ r: range }, reading('events.walk_keys', { _id: 0, r: 1 }))
    .sort({ r: 1 })
    .skip(KEYS_AT_ONCE)
    .limit(1)
    .toArray();
  const rows = await collections.events
    .find<Pick<EventDocument, '_id' | 'p' | 'r'>>(
      { r: end === undefined ? range : { ...range, $lte: end.r }, d: { $exists: false } },
      reading('events.old_keys', { p: 1, r: 1 }),
    )
    .sort({ r: 1 })
    .limit(SLICE_ROWS)
    .toArray();
  const removed = await deleteEvents(context, rows, before);
  if (rows.length === SLICE_ROWS) {
    walk.keysFrom = rows.at(-1)?.r ?? walk.keysFrom;
    return { removed, done: false };
  }
  walk.keysFrom = Math.max(walk.keysFrom, end === undefined ? before : end.r + 1);
  return { removed, done: end === undefined };
}
