import { mongo } from 'mongoose';
import { encodeText } from '../../../lib/bodies/payload-codec.ts';
import { withBodies } from '../../events/event-body.ts';
import { blockOf, blockRef, eventIdsOf, type EventBlockDocument } from '../documents/block-document.ts';
import { eventIdOf, eventKey, type Binary } from '../documents/document-keys.ts';
import type { EventDocument, SlotDocument } from '../documents/documents.ts';
import { duplicatesIn } from './answers.ts';
import { byId, type BatchCollections, type Doc } from '../engine/batch-collections.ts';
import { findKeys, keyFilters, type Keyed } from './known/key-filters.ts';
import { hex } from './marked-rows.ts';

/**
 * Milliseconds after which a block without events may be deleted. A batch inserts its events within seconds. An insert
 * of an abandoned batch that arrives later than this refers to a block that is gone. No batch has counted its event;
 * the one that does stores its own body.
 */
export const BLOCK_SETTLES_MS = 3_600_000;

/** Maximum event keys in one query. */
const KEYS_AT_ONCE = 2000;

/** Block without its bodies. */
export type BlockHead = Omit<EventBlockDocument, 'd'>;
export const BLOCK_HEAD = { p: 1, s: 1, n: 1, t: 1, e: 1 } as const;

/** What the removal and packing of blocks needs of the store. */
export interface BlockContext {
  readonly collections: Pick<BatchCollections, 'events' | 'eventBlocks' | 'slots'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Use of a block by its events. */
interface BlockUse {
  /** Keys of the events that refer to it. */
  readonly events: readonly Binary[];
  /** Keys (hex) of the events that may still come to refer to it. */
  readonly awaited: readonly string[];
  /** True when each of its events has a row, by whichever batch: a delayed insert is refused. */
  readonly complete: boolean;
}

/**
 * Deletes the blocks of removed events that no event refers to any more; returns the bytes of the blocks that are
 * deleted now or by the sweep. A block of a confirmed batch needs no time to settle while the keys of its events stay.
 */
export async function leaveBlocks(
  context: BlockContext,
  removed: readonly Pick<EventDocument, '_id' | 'p' | 'd'>[],
): Promise<number> {
  const touched = new Map<string, Keyed>();
  for (const { p, d } of removed) {
    const _id = d === undefined ? null : blockOf(p, d);
    if (_id !== null) touched.set(hex(_id), { _id, p });
  }
  if (touched.size === 0) return 0;
  const projection = { ...BLOCK_HEAD, b: { $binarySize: '$d' } };
  const { eventBlocks } = context.collections;
  const found = await findKeys(eventBlocks, [...touched.values()], projection, 'local', 'blocks.of_events');
  const blocks = await withoutLastEvent(context, found as unknown as (BlockHead & { readonly b: number })[]);
  const ended = new Set(await endedBlocks(context, blocks));
  const uses = await usesOf(context, blocks);
  let bytes = 0;
  const unused: BlockHead[] = [];
  for (const block of blocks) {
    const use = uses.get(hex(block._id)) ?? UNUSED;
    if (!isUnused(use)) continue;
    bytes += block.b;
    if (ended.has(block) && (isOld(context, block) || use.complete)) unused.push(block);
  }
  await deleteBlocks(context, unused);
  return bytes;
}

/**
 * Stores the payloads of those blocks of which less than half is left with their events, and deletes these blocks.
 * Leaves blocks of open batches and young ones as they are, and returns them.
 */
export async function unpackSparse(context: BlockContext, blocks: readonly Keyed[]): Promise<readonly BlockHead[]> {
  const read = await findKeys(context.collections.eventBlocks, blocks, BLOCK_HEAD, 'local', 'blocks.of_events');
  const found = read as unknown as BlockHead[];
  const settled = new Set(await settledBlocks(context, found));
  const uses = await usesOf(context, [...settled]);
  const unused: BlockHead[] = [];
  for (const block of settled) {
    const use = uses.get(hex(block._id)) ?? UNUSED;
    const isSparse = use.events.length > 0 && use.events.length * 2 < eventIdsOf(block).length;
    if (isUnused(use) || (isSparse && (await unpackBlock(context, block, use.events)))) unused.push(block);
  }
  await deleteBlocks(context, unused);
  return found.filter((block) => !settled.has(block));
}

/** Deletes those of the blocks that no event refers to and that no event will refer to. */
export async function deleteUnused(context: BlockContext, blocks: readonly BlockHead[]): Promise<void> {
  const doubtful = await withoutLastEvent(context, blocks);
  // Looks at the batches first: a batch that is confirmed now has all its events.
  const settled = await settledBlocks(context, doubtful);
  const uses = await usesOf(context, settled);
  await deleteBlocks(
    context,
    settled.filter(({ _id }) => isUnused(uses.get(hex(_id)) ?? UNUSED)),
  );
}

const UNUSED: BlockUse = { events: [], awaited: [], complete: false };

function isUnused({ events, awaited }: Omit<BlockUse, 'complete'>): boolean {
  return events.length === 0 && awaited.length === 0;
}

function isOld({ now }: BlockContext, { t }: BlockHead): boolean {
  return t < now() - BLOCK_SETTLES_MS;
}

/**
 * Returns the blocks whose batch is confirmed, and old ones whose batch was abandoned: no batch refers to them again. A
 * delayed command of an abandoned batch may still do.
 */
async function endedBlocks<T extends BlockHead>(context: BlockContext, blocks: readonly T[]): Promise<T[]> {
  const ids = [...new Set(blocks.map(({ s }) => s).filter((s) => s >= 0))];
  const projection = { n: 1, open: 1, x: 1 };
  const find = () => context.collections.slots.find({ _id: { $in: ids } }, projection, 'majority', 'slots.of_blocks');
  const slots = (ids.length === 0 ? [] : await find()) as unknown as Pick<SlotDocument, '_id' | 'n' | 'open' | 'x'>[];
  const bySlot = new Map(slots.map((slot) => [slot._id, slot]));
  return blocks.filter((block) => {
    const slot = bySlot.get(block.s);
    if (block.s < 0) return isOld(context, block);
    const end = slot === undefined ? 0 : slot.n + (slot.open ? 0 : 1);
    return block.n < end && (isOld(context, block) || slot?.x.includes(block.n) !== true);
  });
}

/** Returns the old blocks whose batch has ended. */
async function settledBlocks(context: BlockContext, blocks: readonly BlockHead[]): Promise<BlockHead[]> {
  return endedBlocks(
    context,
    blocks.filter((block) => isOld(context, block)),
  );
}

/** Returns the use of blocks by the events of their event ids, by the block's key as hex. */
async function usesOf(context: BlockContext, blocks: readonly BlockHead[]): Promise<ReadonlyMap<string, BlockUse>> {
  const keys = blocks.flatMap((block) =>
    eventIdsOf(block).map((eventId) => ({ _id: eventKey(block.p, eventId), p: block.p, block })),
  );
  const found = new Map<string, { readonly events: Binary[]; readonly awaited: string[]; complete: boolean }>();
  const useOf = (block: string) => {
    const use = found.get(block) ?? { events: [], awaited: [], complete: true };
    found.set(block, use);
    return use;
  };
  const unpacked = new Set<string>();
  const rows = new Set<string>();
  for (let from = 0; from < keys.length; from += KEYS_AT_ONCE) {
    for (const { _id, p, d, i } of await readReferences(context, keys.slice(from, from + KEYS_AT_ONCE))) {
      const block = d === undefined ? null : blockOf(p, d);
      if (block !== null) useOf(hex(block)).events.push(_id);
      if (i === 1) unpacked.add(hex(_id));
      rows.add(hex(_id));
    }
  }
  for (const { _id, block } of keys) useOf(hex(block._id)).complete &&= rows.has(hex(_id));
  // A block that retention wrote, and whose update of the events was interrupted, may still get those not yet packed.
  for (const { _id, block } of keys) {
    if (block.s < 0 && unpacked.has(hex(_id))) useOf(hex(block._id)).awaited.push(hex(_id));
  }
  return found;
}

/**
 * Returns the blocks whose last event does not refer to them. Most have it, because the oldest events are removed first,
 * which saves a look at the others.
 */
async function withoutLastEvent<T extends BlockHead>(context: BlockContext, blocks: readonly T[]): Promise<T[]> {
  const last = blocks.map((block) => ({
    _id: eventKey(block.p, eventIdsOf(block).at(-1) ?? '0'.repeat(32)),
    p: block.p,
  }));
  const rows = await readReferences(context, last);
  const refs = rows.flatMap(({ p, d }) => (d === undefined ? [] : (blockOf(p, d) ?? [])));
  const used = new Set(refs.map(hex));
  return blocks.filter(({ _id }) => !used.has(hex(_id)));
}

/** Reads references as a majority has them: on a cluster, events and their block may lie on different shards. */
async function readReferences({ collections }: BlockContext, keys: readonly Keyed[]) {
  const rows = await findKeys(collections.events, keys, { p: 1, d: 1, i: 1 }, 'majority', 'events.of_blocks');
  return rows as unknown as Pick<EventDocument, '_id' | 'p' | 'd' | 'i'>[];
}

async function deleteBlocks({ collections }: BlockContext, blocks: readonly BlockHead[]): Promise<void> {
  for (const filter of keyFilters(blocks)) {
    duplicatesIn(await collections.eventBlocks.deleteMany({ ...filter }, 'blocks.delete'));
  }
}

/** Stores the payloads of a block with their events. Returns true when no event refers to the block afterwards. */
async function unpackBlock(context: BlockContext, head: BlockHead, events: readonly Binary[]): Promise<boolean> {
  const { collections } = context;
  const [block] = await findKeys(collections.eventBlocks, [head], { d: 1 }, 'local', 'blocks.by_id');
  if (block === undefined) return true;
  const sorted = [...events].sort(byId).map((_id) => ({ _id, eventId: eventIdOf(_id) }));
  const bodies = withBodies((block as unknown as EventBlockDocument).d.buffer, sorted);
  // A damaged block stays: retention goes on with the others.
  if (bodies === null) return false;
  const operations = bodies.map(({ _id, json }) => ({
    filter: { _id, p: head.p, d: blockRef(head._id) },
    // Counts, so that a delayed command of a former packing does not move the payload again.
    update: { $set: { d: new mongo.Binary(encodeText(json)), i: 1 } satisfies Doc, $inc: { g: 1 } },
    upsert: false,
  }));
  duplicatesIn(await collections.events.updateEach(operations, 'events.unpack'));
  const left = (await usesOf(context, [head])).get(hex(head._id)) ?? UNUSED;
  const unpacked = new Set(events.map(hex));
  return isUnused({ ...left, awaited: left.awaited.filter((event) => !unpacked.has(event)) });
}
