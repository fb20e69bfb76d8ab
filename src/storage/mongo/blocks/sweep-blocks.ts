import { BLOCK_HEAD, BLOCK_SETTLES_MS, deleteUnused, type BlockHead } from '../batch/block-removal.ts';
import type { MongoContext } from '../engine/context.ts';
import { reading } from '../engine/operation-options.ts';
import { blockContext } from './block-context.ts';
import type { PruneWalk } from './prune-walk.ts';
import { BLOCKS_PER_CALL } from '../../limits.ts';

/** Milliseconds after which the walk over blocks restarts: for interrupted removals, and batches that were open. */
const WALK_MS = 7 * 86_400_000;

/**
 * Deletes blocks that no event refers to, from the oldest on: those of abandoned batches, of events that turned out to
 * be repeats, and of interrupted removals. Returns false when more is left to look at.
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
    .limit(BLOCKS_PER_CALL)
    .toArray();
  await deleteUnused(blockContext(context), blocks);
  walk.blocksAfter = blocks.at(-1) ?? after;
  return blocks.length < BLOCKS_PER_CALL;
}
