import type { PruneLimits } from '../../../domain/ports/maintenance-store.ts';
import type { MongoContext } from '../context.ts';
import type { EventDocument } from '../documents.ts';
import { WITH_PAYLOAD } from '../models/event.ts';
import { reading } from '../operation-options.ts';
import {
  countDown,
  deleteEvents,
  NOTHING_REMOVED,
  PAYLOAD_BYTES,
  removePayloads,
  type RemovedPayloads,
  type StoredPayload,
} from './payload-removal.ts';
import { SLICE_ROWS, type PruneWalk } from './prune-walk.ts';

/** Events that one look for old keys covers: those whose payload stays are passed by. */
const KEYS_AT_ONCE = 10_000;
/** The walk over payloads begins anew after this long, for late events with an early time of receipt. Milliseconds. */
const WALK_MS = 86_400_000;
/** The walk over keys, likewise. Milliseconds. */
const KEY_WALK_MS = 7 * WALK_MS;

/** A slice of payloads by age; those whose key is old too go with it. */
export async function pruneOldEvents(
  context: MongoContext,
  walk: PruneWalk,
  { receivedBefore, keysReceivedBefore }: PruneLimits,
): Promise<RemovedPayloads> {
  if (receivedBefore === null) return NOTHING_REMOVED;
  const { models, now } = context;
  if (Math.abs(now() - walk.payloadsSince) > WALK_MS) {
    walk.payloadsFrom = 0;
    walk.payloadsSince = now();
  }
  const rows = await models.events
    .find(
      { r: { $gte: walk.payloadsFrom, $lt: receivedBefore }, ...WITH_PAYLOAD },
      { p: 1, l: 1, r: 1, ...PAYLOAD_BYTES },
    )
    .setOptions(reading('events.old'))
    .sort({ r: 1 })
    .limit(SLICE_ROWS)
    .lean<StoredPayload[]>();
  const removed = await removePayloads(context, rows, keysReceivedBefore);
  await countDown(context, rows);
  walk.payloadsFrom = rows.length < SLICE_ROWS ? Math.max(walk.payloadsFrom, receivedBefore) : (rows.at(-1)?.r ?? 0);
  return removed;
}

/**
 * A slice of event keys by age, but never before their payload: a stored event stays readable. One whose payload
 * stays goes with it later, so the walk need not come back to it.
 */
export async function pruneKeys(
  context: MongoContext,
  walk: PruneWalk,
  before: number,
): Promise<{ removed: number; done: boolean }> {
  const { models, now } = context;
  if (Math.abs(now() - walk.keysSince) > KEY_WALK_MS) {
    walk.keysFrom = 0;
    walk.keysSince = now();
  }
  const range = { $gte: walk.keysFrom, $lt: before };
  const [end] = await models.events
    .find({ r: range }, { _id: 0, r: 1 })
    .setOptions(reading('events.walk_keys'))
    .sort({ r: 1 })
    .skip(KEYS_AT_ONCE)
    .limit(1)
    .lean<Pick<EventDocument, 'r'>[]>();
  const rows = await models.events
    .find({ r: end === undefined ? range : { ...range, $lte: end.r }, d: { $exists: false } }, { p: 1, r: 1 })
    .setOptions(reading('events.old_keys'))
    .sort({ r: 1 })
    .limit(SLICE_ROWS)
    .lean<Pick<EventDocument, '_id' | 'p' | 'r'>[]>();
  const removed = await deleteEvents(context, rows, before);
  if (rows.length === SLICE_ROWS) {
    walk.keysFrom = rows.at(-1)?.r ?? walk.keysFrom;
    return { removed, done: false };
  }
  walk.keysFrom = Math.max(walk.keysFrom, end === undefined ? before : end.r + 1);
  return { removed, done: end === undefined };
}
