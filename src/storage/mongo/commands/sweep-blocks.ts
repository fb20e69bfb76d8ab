import type { MongoContext } from '../context.ts';
import { blockOf, eventIdsOf, eventKey } from '../documents.ts';
import { reading } from '../operation-options.ts';
import {
  BLOCK_HEAD,
  BLOCK_SETTLES_MS,
  deleteBlocks,
  eventsOf,
  idsAndProjects,
  settledBlocks,
  type BlockHead,
} from './block-removal.ts';
import type { PruneWalk } from './prune-walk.ts';

/** Maximum blocks looked at per call. */
const BLOCKS_AT_ONCE = 200;
/** Milliseconds after which the walk over blocks restarts, for blocks whose removal was interrupted. */
const WALK_MS = 7 * 86_400_000;

/**
 * Deletes blocks that no event refers to, from the oldest on: those of abandoned batches, of events that turned out to be
 * repeats, and of interrupted removals. Returns false when more is left to look at.
 */
export async function sweepBlocks(context: MongoContext, walk: PruneWalk): Promise<boolean> {
  const { collections, now } = context;
  if (Math.abs(now() - walk.blocksSince) > WALK_MS) {
    walk.blocksAfter = null;
    walk.blocksSince = now();
  }
  const after = walk.blocksAfter;
  const blocks = await collections.eventBlocks
    .find<BlockHead>(
      {
        t: { $gte: after?.t ?? 0, $lt: now() - BLOCK_SETTLES_MS },
        ...(after === null ? {} : { $or: [{ t: { $gt: after.t } }, { t: after.t, _id: { $gt: after._id } }] }),
      },
      reading('blocks.old', BLOCK_HEAD),
    )
    .sort({ t: 1, _id: 1 })
    .limit(BLOCKS_AT_ONCE)
    .toArray();
  const doubtful = await withoutFirstEvent(context, blocks);
  const events = await eventsOf(context, doubtful);
  const empty = doubtful.filter(({ _id }) => !events.has(_id.toString('hex')));
  const settled = await settledBlocks(context, empty);
  await deleteBlocks(context, settled);
  // The walk waits for open batches: the next run looks at their blocks again.
  if (settled.length < empty.length) return true;
  walk.blocksAfter = blocks.at(-1) ?? after;
  return blocks.length < BLOCKS_AT_ONCE;
}

/** Returns the blocks whose first event does not refer to them. Most have it, which saves a look at the others. */
async function withoutFirstEvent({ collections }: MongoContext, blocks: readonly BlockHead[]): Promise<BlockHead[]> {
  if (blocks.length === 0) return [];
  const first = blocks.map((block) => ({
    _id: eventKey(block.p, eventIdsOf(block)[0] ?? '0'.repeat(32)),
    p: block.p,
  }));
  const rows = await collections.events
    .find(idsAndProjects(first), reading('events.of_blocks', { p: 1, d: 1 }))
    .toArray();
  const used = new Set(rows.map(({ p, d }) => (d === undefined ? null : blockOf(p, d)?.toString('hex'))));
  return blocks.filter(({ _id }) => !used.has(_id.toString('hex')));
}
