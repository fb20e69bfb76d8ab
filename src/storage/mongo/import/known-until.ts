import { setTimeout as wait } from 'node:timers/promises';
import { hourOf } from '../../fold.ts';
import type { MongoContext } from '../context.ts';
import { groupHashOf, type Binary, type ErrorDocument } from '../documents.ts';
import { reading, writing } from '../operation-options.ts';

/** Errors counted per round trip. */
const AT_ONCE = 1000;
/** Maximum rounds for errors that batches change meanwhile. */
const ROUNDS = 10;

/** Sets the number of known events to all own ones: count less base, both of the same document. */
const ALL_OWN = [{ $set: { kb: { $subtract: ['$c', { $ifNull: ['$imp.b', 0] }] } } }];

/**
 * Counts the project's events received up to a time as known to its tracker. Marks of these events do not count beside.
 * Later batches count their own.
 */
export async function countUntil(context: MongoContext, p: number, until: number): Promise<void> {
  const { collections, now } = context;
  await batchesEnded(context);
  if (until >= now()) {
    await collections.errors.updateMany({ p }, ALL_OWN, writing('errors.known_until'));
    return;
  }
  const later = await countedLater(context, p, until);
  let after = 0;
  for (;;) {
    const rows = await collections.errors
      .find<Counted>({ p, id: { $gt: after } }, reading('errors.known_until', COUNTED))
      .sort({ id: 1 })
      .limit(AT_ONCE)
      .toArray();
    for (let left = rows, round = 0; left.length > 0 && round < ROUNDS; round += 1) {
      const operations = left.map(({ _id, c, imp }) => {
        const own = c - (imp?.b ?? 0);
        const kb = Math.max(0, own - (later.get(groupHashOf(_id)) ?? 0));
        // The count names the state that the number was computed from.
        return { updateOne: { filter: { _id, p, c }, update: { $max: { kb } } } };
      });
      const { matchedCount } = await collections.errors.bulkWrite(operations, {
        ...writing('errors.known_until'),
        ordered: false,
      });
      if (matchedCount === left.length) break;
      const ids = left.map(({ _id }) => _id);
      left = await collections.errors
        .find<Counted>({ _id: { $in: ids }, p }, reading('errors.known_until', COUNTED))
        .toArray();
    }
    after = rows.at(-1)?.id ?? after;
    if (rows.length < AT_ONCE) return;
  }
}

/** Maximum milliseconds to wait for batches that were open, and the pause between two looks. */
const BATCH_LIMIT_MS = 30_000;
const LOOK_MS = 50;

/**
 * Waits for the batches that are open now: they may have read the project before its time was set. One of a gateway that
 * is gone is not waited for longer than the limit.
 */
async function batchesEnded({ collections }: MongoContext): Promise<void> {
  const open = async () => {
    const slots = await collections.slots.find({ open: true }, reading('slots.open', { n: 1 })).toArray();
    return new Set(slots.map(({ _id, n }) => `${_id} ${n}`));
  };
  let left = await open();
  for (let waited = 0; left.size > 0 && waited < BATCH_LIMIT_MS; waited += LOOK_MS) {
    await wait(LOOK_MS);
    const still = await open();
    left = new Set([...left].filter((batch) => still.has(batch)));
  }
}

const COUNTED = { id: 1, c: 1, 'imp.b': 1 } as const;
type Counted = Pick<ErrorDocument, '_id' | 'id' | 'c' | 'imp'>;

/**
 * Returns the number of events received after a time, by group hash: those whose key is stored, or that were counted in
 * a later hour. Keys may have been removed, so the greater number is right.
 */
async function countedLater({ collections }: MongoContext, p: number, until: number): Promise<Map<string, number>> {
  const later = new Map<string, number>();
  const received = await collections.events
    .aggregate<{
      _id: Binary;
      n: number;
    }>([{ $match: { p, r: { $gt: until } } }, { $group: { _id: '$l', n: { $sum: 1 } } }], reading('events.known_until'))
    .toArray();
  for (const { _id, n } of received) later.set(_id.toString('hex'), n);
  const hour = hourOf(until);
  const hours = new Map<string, number>();
  const days = collections.errorHours.find({ p, d: { $gte: Math.floor(hour / 24) } }, reading('hours.known_until'));
  for await (const { _id, d, h } of days) {
    const counted = Object.entries(h).filter(([at]) => d * 24 + Number(at) > hour);
    const groupHash = groupHashOf(_id);
    hours.set(groupHash, (hours.get(groupHash) ?? 0) + counted.reduce((sum, [, n]) => sum + n, 0));
  }
  for (const [groupHash, n] of hours) later.set(groupHash, Math.max(n, later.get(groupHash) ?? 0));
  return later;
}
