import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../../../domain/app-error.ts';
import { hourOf } from '../../fold.ts';
import type { MongoContext } from '../engine/context.ts';
import { groupHashOf, type Binary } from '../documents/document-keys.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';
import { reading, writing } from '../engine/operation-options.ts';
import { countedLater, lastClosed, type Received } from './counted-later.ts';
import { HOUR_MS } from '../../../domain/durations.ts';

/** Errors counted per round trip. */
const AT_ONCE = 5000;
/** Maximum rounds for errors that retention, or another call, changes meanwhile. */
const ROUNDS = 10;
/** Milliseconds by which a time must lie ahead so that it is not reached while all errors are changed. */
const AHEAD_MS = 5 * 60_000;
/** Milliseconds for which the keys of events are kept at least. Older ones are counted by their hours. */
const KEYS_MS = 7 * 24 * HOUR_MS;

/**
 * Sets the number of known events to all own ones: count less base, both of the same document. `ku` ends an addition of
 * marks that began before.
 */
const ALL_OWN = [
  {
    $set: {
      kb: { $subtract: ['$c', { $ifNull: ['$imp.b', 0] }] },
      ku: { $add: [{ $ifNull: ['$ku', 0] }, 1] },
    },
  },
];

/**
 * Counts the project's events received up to a time as known to its tracker. Marks of these events do not count beside.
 * Later batches count their own. Throws `store_unavailable` when it must be repeated.
 */
export async function recountKnownUntil(context: MongoContext, p: number, until: number): Promise<void> {
  const { collections, now } = context;
  await batchesEnded(context);
  if (until >= now() + AHEAD_MS) {
    await collections.errors.updateMany({ p }, ALL_OWN, writing('errors.known_until'));
    return;
  }
  const hours = until < now() - KEYS_MS ? await laterHours(context, p, until) : new Map<string, number>();
  for (let after = 0; ;) {
    const read = (filter: object) =>
      collections.errors.find<Counted>({ p, ...filter }, reading('errors.known_until', COUNTED));
    let closed = await lastClosed(context);
    const rows = await read({ id: { $gt: after } })
      .sort({ id: 1 })
      .limit(AT_ONCE)
      .toArray();
    let left = await countRows(context, p, { until, closed, hours }, rows);
    for (let round = 1; left.length > 0; round += 1) {
      if (round === ROUNDS) {
        throw new AppError('store_unavailable', 'errors of the project keep changing', { retryAfterSeconds: 1 });
      }
      closed = await lastClosed(context);
      left = await countRows(context, p, { until, closed, hours }, await read({ _id: { $in: left } }).toArray());
    }
    after = rows.at(-1)?.id ?? after;
    if (rows.length < AT_ONCE) return;
  }
}

const COUNTED = { id: 1, c: 1, 'imp.b': 1, kb: 1, kn: 1, ku: 1, rcv: 1, w: 1 } as const;
type Counted = Pick<ErrorDocument, '_id' | 'id' | 'c' | 'imp' | 'kb' | 'kn' | 'ku' | 'rcv' | 'w'>;

interface Bounds {
  readonly until: number;
  /** Numbers of closed batches, read before the rows. */
  readonly closed: ReadonlyMap<number, number>;
  /** Events of later hours, by group hash; empty where the keys of all later events are stored. */
  readonly hours: ReadonlyMap<string, number>;
}

/**
 * Adds what each error lacks, which commutes with the counts of batches. Returns the keys of those that were changed
 * otherwise and must be read again.
 */
async function countRows(
  context: MongoContext,
  p: number,
  { until, closed, hours }: Bounds,
  rows: readonly Counted[],
): Promise<Binary[]> {
  const { errors } = context.collections;
  const received: Received = rows.some(({ rcv }) => rcv > until)
    ? await countedLater(context, p, until, closed)
    : { of: () => 0, isWhole: true };
  if (!received.isWhole) return rows.map(({ _id }) => _id);
  const changes = rows.flatMap(({ _id, c, imp, kb = 0, kn, ku, w }) => {
    const groupHash = groupHashOf(_id);
    const later = Math.max(received.of(groupHash, w), hours.get(groupHash) ?? 0);
    const lacking = c - (imp?.b ?? 0) - later - kb;
    // The numbers name the state from which the sum was computed.
    const filter = { _id, p, kn: kn ?? { $exists: false }, ku: ku ?? { $exists: false } };
    return lacking <= 0 ? [] : [{ filter, update: { $inc: { kb: lacking, ku: 1 } } }];
  });
  if (changes.length === 0) return [];
  const { matchedCount } = await errors.bulkWrite(
    changes.map((change) => ({ updateOne: change })),
    { ...writing('errors.known_until'), ordered: false },
  );
  // Those that did match lack nothing any more.
  return matchedCount === changes.length ? [] : changes.map(({ filter }) => filter._id);
}

/** Maximum milliseconds to wait for batches that were open, and the pause between two looks. */
const BATCH_LIMIT_MS = 30_000;
const LOOK_MS = 50;

/**
 * Waits for the batches that are open now: they may have read the project before it was changed. One of a gateway that
 * is gone is not waited for longer than the limit.
 */
export async function batchesEnded({ collections }: MongoContext): Promise<void> {
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

/** Returns the number of events of hours after a time, by group hash. */
async function laterHours({ collections }: MongoContext, p: number, until: number): Promise<Map<string, number>> {
  const hour = hourOf(until);
  const hours = new Map<string, number>();
  const days = collections.errorHours.find({ p, d: { $gte: Math.floor(hour / 24) } }, reading('hours.known_until'));
  for await (const { _id, d, h } of days) {
    const counted = Object.entries(h).filter(([at]) => d * 24 + Number(at) > hour);
    const groupHash = groupHashOf(_id);
    hours.set(groupHash, (hours.get(groupHash) ?? 0) + counted.reduce((sum, [, n]) => sum + n, 0));
  }
  return hours;
}
