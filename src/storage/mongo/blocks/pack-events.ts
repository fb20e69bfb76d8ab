import {
  BLOCK_WINDOW_MS,
  BlockPacker,
  MAX_BLOCK_CHARACTERS,
  MIN_BLOCK_BODIES,
} from '../../../lib/bodies/body-block.ts';
import type { WaitingWindow } from '../../events/waiting-bodies.ts';
import { findKeys, type Keyed } from '../batch/known/key-filters.ts';
import { packBodies, PACKABLE, storedBodyOf, UNMARK, type Packable, type StoredBody } from '../batch/packed-block.ts';
import type { MongoContext } from '../engine/context.ts';
import type { Binary } from '../documents/document-keys.ts';
import { UNPACKED, type EventDocument } from '../documents/documents.ts';
import { reading, writing } from '../engine/operation-options.ts';
import { blockContext } from './block-context.ts';
import { PackWalk, type PruneWalk } from './prune-walk.ts';
import { UNPACKED_PER_CALL } from '../../limits.ts';

/** Events packed per call, and up to a block more. */
const PACK_ROWS = 500;

/**
 * Packs payloads that stand by themselves into blocks, because few events came with them in one batch. Only events
 * received before `before` (milliseconds). A run walks over the events of which the index says so, oldest first. Those
 * with too few others leave the index a day after the end of theirs. Returns false when more is left.
 */
export async function packEvents(context: MongoContext, walk: PruneWalk, before: number): Promise<boolean> {
  walk.packing ??= new PackWalk();
  const { waiting } = walk.packing;
  if (!waiting.isReady && !walk.packing.read) {
    const readAll = await readPage(context, walk.packing, before);
    if (readAll) waiting.finish(before - BLOCK_WINDOW_MS);
  }
  for (let packed = 0; packed < PACK_ROWS;) {
    const window = waiting.next();
    if (window === null) break;
    packed += await packWindow(context, window);
  }
  return walk.packing.read && !waiting.isReady;
}

/** Adds a page of events with payloads of their own to those that wait; returns true when all were read. */
async function readPage({ collections }: MongoContext, packing: PackWalk, before: number): Promise<boolean> {
  const rows = await collections.events
    .find<Pick<EventDocument, '_id' | 'p' | 'r'>>(
      { ...UNPACKED, r: { $gte: packing.from, $lt: before } },
      reading('events.unpacked', { p: 1, r: 1 }),
    )
    .sort({ r: 1 })
    .limit(UNPACKED_PER_CALL)
    .toArray();
  packing.read = rows.length < UNPACKED_PER_CALL;
  const [first, last] = [rows.at(0)?.r ?? 0, rows.at(-1)?.r ?? 0];
  // The rest of the last moment comes with the next page. A full page of one moment is passed.
  const whole = packing.read || first === last ? rows : rows.filter(({ r }) => r < last);
  packing.from = first === last ? last + 1 : last;
  for (const { _id, p, r } of whole) packing.waiting.add(p, r, _id);
  return packing.read;
}

/** Packs the payloads of events of one project and day that still stand by themselves; returns the number of events. */
async function packWindow(context: MongoContext, { projectId: p, ids }: WaitingWindow<Binary>): Promise<number> {
  const keys = ids.map((_id) => ({ _id, p }));
  if (ids.length < MIN_BLOCK_BODIES) {
    await unmark(context, keys);
    return ids.length;
  }
  const { events } = blockContext(context).collections;
  const rows = (await findKeys(events, keys, PACKABLE, 'local', 'events.of_blocks')) as unknown as Packable[];
  const blocks: (readonly StoredBody[])[] = [];
  const unpackable: Keyed[] = [];
  const packer = new BlockPacker<StoredBody>(
    (_, members) => blocks.push(members),
    (body) => body.json.length >= MAX_BLOCK_CHARACTERS && unpackable.push(body),
  );
  for (const row of rows) {
    const body = storedBodyOf(row);
    if (body === null) unpackable.push(row);
    else packer.add(p, body);
  }
  packer.finish();
  for (const members of blocks) await packBodies(blockContext(context), members);
  await unmark(context, unpackable);
  return ids.length;
}

/** Leaves payloads where they are for good. */
async function unmark({ collections }: MongoContext, events: readonly Keyed[]): Promise<void> {
  if (events.length === 0) return;
  const operations = events.map(({ _id, p }) => ({ updateOne: { filter: { _id, p }, update: UNMARK } }));
  await collections.events.bulkWrite(operations, { ...writing('events.pack'), ordered: false });
}
