import { mongo } from 'mongoose';
import { BodyBlock } from '../../../lib/body-block.ts';
import { encodeText } from '../../../lib/payload-codec.ts';
import type { MongoContext } from '../context.ts';
import {
  blockOf,
  blockRef,
  eventIdOf,
  eventIdsOf,
  eventKey,
  type Binary,
  type EventBlockDocument,
  type EventDocument,
} from '../documents.ts';
import { reading, writing } from '../operation-options.ts';

/**
 * Milliseconds after which a block without events may be deleted. A batch inserts its events within seconds. An insert
 * that arrives later than this refers to a block that is gone; its event counts as one whose payload was pruned.
 */
export const BLOCK_SETTLES_MS = 3_600_000;

/** Maximum event keys in one query. */
const KEYS_AT_ONCE = 2000;

/** Block without its bodies. */
export type BlockHead = Omit<EventBlockDocument, 'd'>;
export const BLOCK_HEAD = { p: 1, s: 1, n: 1, t: 1, e: 1 } as const;

/**
 * Deletes the blocks of removed events that no event refers to any more; returns the bytes that the removed events had
 * in their blocks. Blocks of open batches and young ones are left to `sweepBlocks`. `unpack`: stores the payloads of a
 * block with their events where less than half of it is left.
 */
export async function leaveBlocks(
  context: MongoContext,
  removed: readonly Pick<EventDocument, '_id' | 'p' | 'd'>[],
  unpack: boolean,
): Promise<number> {
  const gone = new Map<string, number>();
  const touched = new Map<string, { readonly _id: Binary; readonly p: number }>();
  for (const { p, d } of removed) {
    const _id = d === undefined ? null : blockOf(p, d);
    if (_id === null) continue;
    const hex = _id.toString('hex');
    touched.set(hex, { _id, p });
    gone.set(hex, (gone.get(hex) ?? 0) + 1);
  }
  if (touched.size === 0) return 0;
  const blocks = await context.collections.eventBlocks
    .find<BlockHead & { readonly b: number }>(
      idsAndProjects([...touched.values()]),
      reading('blocks.of_events', { ...BLOCK_HEAD, b: { $binarySize: '$d' } }),
    )
    .toArray();
  let bytes = 0;
  for (const block of blocks) {
    const share = (gone.get(block._id.toString('hex')) ?? 0) / Math.max(eventIdsOf(block).length, 1);
    bytes += Math.round(block.b * Math.min(share, 1));
  }
  const settled = await settledBlocks(context, blocks);
  const events = await eventsOf(context, settled);
  const empty: BlockHead[] = [];
  for (const block of settled) {
    const left = events.get(block._id.toString('hex')) ?? [];
    const sparse = unpack && left.length * 2 < eventIdsOf(block).length;
    if (left.length === 0 || (sparse && (await unpackBlock(context, block, left)))) empty.push(block);
  }
  await deleteBlocks(context, empty);
  return bytes;
}

/** Returns the blocks that are an hour old and whose batch is confirmed or abandoned: no event comes to them any more. */
export async function settledBlocks<T extends BlockHead>(context: MongoContext, blocks: readonly T[]): Promise<T[]> {
  const { collections, now } = context;
  const old = blocks.filter(({ t }) => t < now() - BLOCK_SETTLES_MS);
  const ids = [...new Set(old.map(({ s }) => s).filter((s) => s >= 0))];
  if (ids.length === 0) return old;
  const slots = await collections.slots
    .find({ _id: { $in: ids } }, { ...reading('slots.of_blocks', { n: 1, open: 1 }), readConcern: 'majority' })
    .toArray();
  const ends = new Map(slots.map(({ _id, n, open }) => [_id, open ? n : n + 1]));
  return old.filter(({ s, n }) => s < 0 || n < (ends.get(s) ?? 0));
}

/** Returns the keys of the events that refer to each block, by the block's key as hex. */
export async function eventsOf(
  { collections }: MongoContext,
  blocks: readonly BlockHead[],
): Promise<ReadonlyMap<string, readonly Binary[]>> {
  const keys = blocks.flatMap((block) =>
    eventIdsOf(block).map((eventId) => ({ _id: eventKey(block.p, eventId), p: block.p })),
  );
  const found = new Map<string, Binary[]>();
  for (let from = 0; from < keys.length; from += KEYS_AT_ONCE) {
    const rows = await collections.events
      .find(idsAndProjects(keys.slice(from, from + KEYS_AT_ONCE)), reading('events.of_blocks', { p: 1, d: 1 }))
      .toArray();
    for (const { _id, p, d } of rows) {
      const block = d === undefined ? undefined : blockOf(p, d)?.toString('hex');
      if (block === undefined) continue;
      const events = found.get(block);
      if (events === undefined) found.set(block, [_id]);
      else events.push(_id);
    }
  }
  return found;
}

/** Deletes blocks. The caller has found that no event refers to them, and that none will. */
export async function deleteBlocks({ collections }: MongoContext, blocks: readonly BlockHead[]): Promise<void> {
  if (blocks.length > 0) {
    await collections.eventBlocks.deleteMany(idsAndProjects(blocks), writing('blocks.delete'));
  }
}

/** Stores the payloads of a block with their events. Returns true when no event refers to the block afterwards. */
async function unpackBlock(context: MongoContext, head: BlockHead, events: readonly Binary[]): Promise<boolean> {
  const { _id, p } = head;
  const { collections } = context;
  const block = await collections.eventBlocks.findOne({ _id, p }, reading('blocks.by_id', { d: 1 }));
  if (block === null) return true;
  const bodies = new BodyBlock(block.d.buffer);
  const operations = events.flatMap((event) => {
    const json = bodies.find(eventIdOf(event));
    if (json === null) return [];
    const update = { $set: { d: new mongo.Binary(encodeText(json)), i: 1 as const } };
    return [{ updateOne: { filter: { _id: event, p, d: blockRef(_id) }, update } }];
  });
  if (operations.length > 0) {
    await collections.events.bulkWrite(operations, { ...writing('events.unpack'), ordered: false });
  }
  return !(await eventsOf(context, [head])).has(_id.toString('hex'));
}

/** Returns the filter of documents by their keys and projects. */
export function idsAndProjects(keys: readonly { readonly _id: Binary; readonly p: number }[]) {
  return { _id: { $in: keys.map(({ _id }) => _id) }, p: { $in: [...new Set(keys.map(({ p }) => p))] } };
}
