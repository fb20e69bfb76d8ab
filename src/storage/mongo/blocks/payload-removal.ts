import { leaveBlocks } from '../batch/block-removal.ts';
import { findKeys, type Keyed } from '../batch/known/key-filters.ts';
import type { MongoContext } from '../engine/context.ts';
import { BLOCK_REF_BYTES, blockOf } from '../documents/block-document.ts';
import { errorKey, type Binary } from '../documents/document-keys.ts';
import type { EventDocument } from '../documents/documents.ts';
import { writing } from '../engine/operation-options.ts';
import { blockContext } from './block-context.ts';
import { BLOCKS_PER_CALL } from '../../limits.ts';

export interface RemovedPayloads {
  readonly events: number;
  /** Removed payload bytes, as stored; of payloads in a block their share of it. */
  readonly bytes: number;
  /** Number of keys removed with them. */
  readonly keys: number;
}

export const NOTHING_REMOVED: RemovedPayloads = { events: 0, bytes: 0, keys: 0 };

type Key = Pick<EventDocument, '_id' | 'p' | 'r'>;

/** Members to read of events whose payloads are removed: the size of a payload without its bytes. */
export const STORED_PAYLOAD = { p: 1, l: 1, r: 1, b: { $binarySize: '$d' } } as const;
export type StoredPayload = Pick<EventDocument, '_id' | 'p' | 'l' | 'r'> & { readonly b: number };

/** Event whose payload is in a block. */
type Referring = Pick<EventDocument, '_id' | 'p' | 'd'>;

/**
 * Removes payloads, with their keys received before `keysBefore`. Stops before an event of yet another block where these
 * are too many: `rows` are those that were removed, from the first on, at least one. The caller updates the errors'
 * counts. `shrunk` gets the blocks that had some of them.
 */
export async function removePayloads<T extends StoredPayload>(
  context: MongoContext,
  found: readonly T[],
  keysBefore: number,
  shrunk = new Map<string, Keyed>(),
): Promise<RemovedPayloads & { readonly rows: readonly T[] }> {
  const blocks = blockContext(context);
  const short = found.filter(({ b }) => b === BLOCK_REF_BYTES);
  const read = await findKeys(blocks.collections.events, short, { p: 1, d: 1 }, 'local', 'events.of_blocks');
  const byKey = new Map((read as unknown as Referring[]).map((event) => [event._id.toString('hex'), event]));
  const referring: Referring[] = [];
  const touched = new Set<string>();
  const rows: T[] = [];
  for (const row of found) {
    const event = byKey.get(row._id.toString('hex'));
    const block = event?.d === undefined ? null : blockOf(event.p, event.d);
    if (event !== undefined && block !== null) {
      const name = block.toString('hex');
      if (touched.size === BLOCKS_PER_CALL && !touched.has(name)) break;
      touched.add(name);
      shrunk.set(name, { _id: block, p: event.p });
      referring.push(event);
    }
    rows.push(row);
  }
  const whole = rows.filter(({ r }) => r < keysBefore);
  const keys = await deleteEvents(context, whole, keysBefore);
  for (const [p, ids] of byProject(rows.filter(({ r }) => r >= keysBefore))) {
    const filter = { _id: { $in: ids }, p };
    const update = { $unset: { d: '' as const, i: '' as const } };
    await context.collections.events.updateMany(filter, update, writing('events.remove_payloads'));
  }
  const bytes = rows.reduce((sum, { b }) => sum + (b === BLOCK_REF_BYTES ? 0 : b), 0);
  return { rows, events: rows.length, bytes: bytes + (await leaveBlocks(blocks, referring)), keys };
}

/** Removes events with their keys unless a newer event has the key; returns the number removed. */
export async function deleteEvents(
  { collections }: MongoContext,
  rows: readonly Key[],
  before: number,
): Promise<number> {
  let deleted = 0;
  for (const [p, ids] of byProject(rows)) {
    const filter = { _id: { $in: ids }, p, r: { $lt: before } };
    deleted += (await collections.events.deleteMany(filter, writing('events.delete'))).deletedCount;
  }
  return deleted;
}

/** Subtracts removed payloads from their errors' counts. */
export async function countDown(
  { collections }: MongoContext,
  rows: readonly Pick<EventDocument, 'p' | 'l'>[],
): Promise<void> {
  const removed = new Map<string, { p: number; _id: Binary; n: number }>();
  for (const { p, l } of rows) {
    const _id = errorKey(p, l.toString('hex'));
    const hex = _id.toString('hex');
    removed.set(hex, { p, _id, n: (removed.get(hex)?.n ?? 0) + 1 });
  }
  if (removed.size === 0) return;
  // Writes in the order of keys, as batches do, so that two processes do not block each other.
  const operations = [...removed]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { _id, p, n }]) => ({ updateOne: { filter: { _id, p }, update: { $inc: { k: -n } } } }));
  await collections.errors.bulkWrite(operations, { ...writing('errors.count_payloads'), ordered: false });
}

function byProject(rows: readonly { _id: Binary; p: number }[]): Map<number, Binary[]> {
  const ids = new Map<number, Binary[]>();
  for (const { _id, p } of rows) {
    const list = ids.get(p) ?? [];
    list.push(_id);
    ids.set(p, list);
  }
  ids.forEach((list) => list.sort((a, b) => Buffer.compare(a.buffer, b.buffer)));
  return ids;
}
