import { BlockPacker } from '../../../lib/bodies/body-block.ts';
import { encodeText } from '../../../lib/bodies/payload-codec.ts';
import { withBodies } from '../../events/event-body.ts';
import { bodiesOf } from '../events/event-views.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { eventsOfBlock, findBlock, storeTogether, type StoredBody } from './block-rows.ts';
import { BLOCKS_PER_CALL } from '../../limits.ts';

interface Rest extends StoredBody {
  readonly projectId: number;
}

/**
 * Stores the rest of blocks that removals have shrunk to less than half. Takes some of the blocks that `pruning` has
 * noted. Returns the freed bytes.
 */
export function packSparseBlocks(context: WriteContext): number {
  return packBlocks(context, context.pruning.shrunk, (left, all) => left * 2 < all);
}

/**
 * Stores the rest of blocks anew: together in new blocks, or with their events where it is too little. Takes some ids
 * out of `ids`; `isSparse` gets the number of bodies that events name, and of all. Damaged blocks stay. Returns the
 * freed bytes.
 */
export function packBlocks(
  { db, pruning }: WriteContext,
  ids: Set<number>,
  isSparse: (left: number, all: number) => boolean,
): number {
  let freed = 0;
  const packer = new BlockPacker<Rest>(
    (projectId, members) => (freed -= storeTogether(db, projectId, members)),
    ({ projectId, receivedAt, id, json }) => {
      const payload = encodeText(json);
      db.run('UPDATE events SET payload = ?, block_id = NULL WHERE id = ?', payload, id);
      freed -= payload.length;
      // The walk that packs events has passed it.
      if (id <= pruning.packedTo) pruning.waiting.add(projectId, receivedAt, id);
    },
  );
  const left: number[] = [];
  for (const id of [...ids].slice(0, BLOCKS_PER_CALL)) {
    ids.delete(id);
    const block = findBlock(db, id);
    if (block === undefined) continue;
    const { projectId } = block;
    const events = eventsOfBlock(db, block);
    if (!isSparse(events.length, block.events)) continue;
    const rest = withBodies(bodiesOf(db, id), events);
    if (rest === null) continue;
    for (const event of rest) packer.add(projectId, { ...event, projectId });
    freed += block.bytes;
    left.push(id);
  }
  packer.finish();
  for (const id of left) db.run('DELETE FROM event_blocks WHERE id = ?', id);
  return freed;
}
