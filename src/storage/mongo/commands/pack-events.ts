import { randomBytes } from 'node:crypto';
import { mongo } from 'mongoose';
import { BlockPacker, encodeBlock, MAX_BLOCK_CHARACTERS, type Body } from '../../../lib/body-block.ts';
import { decodeText } from '../../../lib/payload-codec.ts';
import type { MongoContext } from '../context.ts';
import { blockOf, blockRef, eventIdOf, key, UNPACKED, type Binary, type EventDocument } from '../documents.ts';
import { reading, writing } from '../operation-options.ts';
import type { PruneWalk } from './prune-walk.ts';

/** Maximum events packed per call. */
const PACK_ROWS = 500;
/** Slot in blocks that no batch wrote. */
const NO_SLOT = -1;
const UNMARK = { $unset: { i: '' as const } };

interface StoredBody extends Body {
  readonly _id: Binary;
  readonly p: number;
  readonly r: number;
}

/**
 * Packs payloads that stand by themselves into blocks, oldest first, because few events came with them in one batch. Only
 * events received before `before` (milliseconds). A new block is durable before an event refers to it. Returns false when
 * more is left.
 */
export async function packEvents(context: MongoContext, walk: PruneWalk, before: number): Promise<boolean> {
  const { collections } = context;
  const rows = await collections.events
    .find<Pick<EventDocument, '_id' | 'p' | 'r' | 'd'>>(
      { ...UNPACKED, r: { $gte: walk.packedTo, $lt: before } },
      reading('events.unpacked', { p: 1, r: 1, d: 1 }),
    )
    .sort({ r: 1 })
    .limit(PACK_ROWS)
    .toArray();
  const blocks: (readonly StoredBody[])[] = [];
  const waiting: StoredBody[] = [];
  const unpackable: Pick<EventDocument, '_id' | 'p'>[] = [];
  const packer = new BlockPacker<StoredBody>(
    (_, members) => blocks.push(members),
    (body) => (body.json.length < MAX_BLOCK_CHARACTERS ? waiting.push(body) : unpackable.push(body)),
  );
  for (const { _id, p, r, d } of rows) {
    if (d === undefined || blockOf(p, d) !== null) unpackable.push({ _id, p });
    else packer.add(p, { _id, p, r, eventId: eventIdOf(_id), json: decodeText(d.buffer).toString('utf8') });
  }
  packer.finish();
  for (const members of blocks) await storeBlock(context, members);
  if (unpackable.length > 0) {
    const operations = unpackable.map(({ _id, p }) => ({ updateOne: { filter: { _id, p }, update: UNMARK } }));
    await collections.events.bulkWrite(operations, { ...writing('events.pack'), ordered: false });
  }
  const done = rows.length < PACK_ROWS;
  const end = rows.at(-1)?.r ?? walk.packedTo;
  // Bodies that found too few others wait for the next ones. A full page of one moment is passed.
  walk.packedTo = done ? Math.min(end, ...waiting.map(({ r }) => r)) : Math.max(end, walk.packedTo + 1);
  return done;
}

async function storeBlock({ collections, now }: MongoContext, members: readonly StoredBody[]): Promise<void> {
  const [first] = members;
  if (first === undefined) return;
  const { p } = first;
  const _id = key(p, randomBytes(16).toString('hex'), 16);
  const e = new mongo.Binary(Buffer.from(members.map(({ eventId }) => eventId).join(''), 'hex'));
  const block = { _id, p, s: NO_SLOT, n: 0, t: now(), e, d: new mongo.Binary(encodeBlock(members)) };
  await collections.eventBlocks.insertOne(block, writing('blocks.insert'));
  const update = { $set: { d: blockRef(_id) }, ...UNMARK };
  const operations = members.map((event) => ({
    updateOne: { filter: { _id: event._id, p, ...UNPACKED, d: { $exists: true } }, update },
  }));
  await collections.events.bulkWrite(operations, { ...writing('events.pack'), ordered: false });
}
