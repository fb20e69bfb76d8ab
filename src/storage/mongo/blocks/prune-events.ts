import type { PruneLimits } from '../../../domain/ports/stores/maintenance-store.ts';
import type { MongoContext } from '../engine/context.ts';
import { WITH_PAYLOAD, type EventDocument } from '../documents/documents.ts';
import { reading } from '../engine/operation-options.ts';
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

/** Maximum events that one search passes: those without a payload, or with one where keys are removed. */
const EVENTS_AT_ONCE = 10_000;
/** Milliseconds after which the walk over payloads restarts, for late events with an early time of receipt. */
const WALK_MS = 86_400_000;
/** Milliseconds after which the walk over keys restarts. */
const KEY_WALK_MS = 7 * WALK_MS;

/** Removes a slice of payloads by age, with their keys that are also old. `busy`: more calls are needed. */
export async function pruneOldEvents(
  context: MongoContext,
  walk: PruneWalk,
  { receivedBefore, keysReceivedBefore }: PruneLimits,
): Promise<RemovedPayloads & { readonly busy: boolean }> {
  if (receivedBefore === null) return { ...NOTHING_REMOVED, busy: false };
  const { collections, now } = context;
  if (Math.abs(now() - walk.payloadsSince) > WALK_MS) {
    walk.payloadsFrom = 0;
    walk.payloadsSince = now();
  }
  const { r, end } = await pageOfReceipt(context, walk.payloadsFrom, receivedBefore);
  const found = await collections.events
    .find<StoredPayload>({ r, ...WITH_PAYLOAD }, reading('events.old', STORED_PAYLOAD))
    .sort({ r: 1 })
    .limit(SLICE_ROWS)
    .toArray();
  const { rows, ...removed } = await removePayloads(context, found, keysReceivedBefore);
  await countDown(context, rows);
  const isWhole = found.length < SLICE_ROWS && rows.length === found.length;
  walk.payloadsFrom = isWhole ? Math.max(walk.payloadsFrom, end ?? receivedBefore) : (rows.at(-1)?.r ?? 0);
  return { ...removed, busy: !isWhole || end !== null };
}

/**
 * Returns the times of receipt of a page of events, from `from` on and before `before`, and the time at which the next
 * page begins; null for the last one. A search passes no more than a page: the index does not say which events have a
 * payload, and a server ends searches that take too long.
 */
async function pageOfReceipt({ collections }: MongoContext, from: number, before: number) {
  const range = { $gte: from, $lt: before };
  const [last] = await collections.events
    .find<Pick<EventDocument, 'r'>>({ r: range }, reading('events.walk_keys', { _id: 0, r: 1 }))
    .sort({ r: 1 })
    .skip(EVENTS_AT_ONCE)
    .limit(1)
    .toArray();
  return last === undefined ? { r: range, end: null } : { r: { ...range, $lte: last.r }, end: last.r + 1 };
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
  const { r, end } = await pageOfReceipt(context, walk.keysFrom, before);
  const rows = await collections.events
    .find<Pick<EventDocument, '_id' | 'p' | 'r'>>(
      { r, d: { $exists: false } },
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
  walk.keysFrom = Math.max(walk.keysFrom, end ?? before);
  return { removed, done: end === null };
}
