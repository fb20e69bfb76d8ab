import { createHash } from 'node:crypto';
import type { EventBlock } from '../../../domain/ingest/digest.ts';
import { blockDocument, type EventBlockDocument } from '../documents/block-document.ts';
import { duplicatesIn, unconfirmed } from './answers.ts';
import { byId, type BatchCollections, type Doc } from '../engine/batch-collections.ts';
import { findKeys, keyFilters, type Keyed } from './known/key-filters.ts';
import { hex } from './marked-rows.ts';
import type { Claim } from './slots.ts';

/**
 * Stores the blocks of a batch, before any event refers to them; returns their keys in the order of the blocks. The id
 * is a hash of slot, number and bodies. A replay that digests the same finds its blocks; one that digests otherwise, or
 * another batch, writes others. No block of an open batch is deleted.
 */
export async function storeBlocks(
  blocks: readonly EventBlock[],
  { eventBlocks }: Pick<BatchCollections, 'eventBlocks'>,
  claim: Claim,
  now: number,
): Promise<readonly Keyed[]> {
  if (blocks.length === 0) return [];
  const documents = blocks.map((block) => documentOf(block, claim, now));
  const sorted = [...documents].sort((a, b) => byId(a._id, b._id));
  const refused = duplicatesIn(await eventBlocks.insertMany(sorted as unknown as Doc[]));
  const known = refused.flatMap((index) => sorted[index] ?? []);
  if (known.length > 0 && (await findKeys(eventBlocks, known, { _id: 1 })).length < known.length) {
    throw unconfirmed('a block that was refused is not there');
  }
  return documents.map(({ _id, p }) => ({ _id, p }));
}

/**
 * Deletes blocks of a closed batch for whose bodies it counted no event. Each of these events is another batch's, or
 * its project is gone, so that a delayed insert of the batch is refused. What stays after a failure is left to
 * retention.
 */
export async function deleteUnnamed(
  blocks: readonly Keyed[],
  { eventBlocks }: Pick<BatchCollections, 'eventBlocks'>,
): Promise<void> {
  for (const filter of keyFilters(blocks)) {
    await eventBlocks.deleteMany({ ...filter }, 'blocks.delete').catch(() => undefined);
  }
}

/**
 * Returns the blocks whose key is not among the `named` (hex). Two blocks of a batch with equal bodies have one key.
 */
export function unnamedBlocks(blocks: readonly Keyed[], named: ReadonlySet<string>): Keyed[] {
  return [...new Map(blocks.map((block) => [hex(block._id), block]))]
    .filter(([id]) => !named.has(id))
    .map(([, block]) => block);
}

function documentOf(block: EventBlock, { slot, n }: Claim, now: number): EventBlockDocument {
  const id = createHash('sha256').update(`${slot} ${n} `).update(block.bodies).digest('hex');
  return blockDocument(id, block, { s: slot, n, t: now });
}
