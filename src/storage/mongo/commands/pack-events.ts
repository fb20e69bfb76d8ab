import { BlockPacker, MAX_BLOCK_CHARACTERS } from '../../../lib/body-block.ts';
import { packBodies, PACKABLE, storedBodyOf, UNMARK, type Packable, type StoredBody } from '../batch/packed-block.ts';
import type { MongoContext } from '../context.ts';
import { UNPACKED, type EventDocument } from '../documents.ts';
import { reading, writing } from '../operation-options.ts';
import { blockContext } from './block-context.ts';
import type { PruneWalk } from './prune-walk.ts';

/** Maximum events packed per call. */
const PACK_ROWS = 500;

/** Body with the time of receipt of its event. */
interface ReceivedBody extends StoredBody {
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
    .find<Packable>({ ...UNPACKED, r: { $gte: walk.packedTo, $lt: before } }, reading('events.unpacked', PACKABLE))
    .sort({ r: 1 })
    .limit(PACK_ROWS)
    .toArray();
  const blocks: (readonly ReceivedBody[])[] = [];
  const waiting: ReceivedBody[] = [];
  const unpackable: Pick<EventDocument, '_id' | 'p'>[] = [];
  const packer = new BlockPacker<ReceivedBody>(
    (_, members) => blocks.push(members),
    (body) => (body.json.length < MAX_BLOCK_CHARACTERS ? waiting.push(body) : unpackable.push(body)),
  );
  for (const row of rows) {
    const body = storedBodyOf(row);
    if (body === null) unpackable.push(row);
    else packer.add(row.p, { ...body, r: row.r });
  }
  packer.finish();
  for (const members of blocks) await packBodies(blockContext(context), members);
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
