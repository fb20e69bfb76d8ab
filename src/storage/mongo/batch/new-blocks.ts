import { createHash } from 'node:crypto';
import { mongo } from 'mongoose';
import type { EventBlock } from '../../../domain/digest.ts';
import { blockRef, key, type Binary, type EventBlockDocument } from '../documents.ts';
import { duplicatesIn, unconfirmed } from './answers.ts';
import { byId, type BatchCollections, type Doc } from './batch-collections.ts';
import { findKeys } from './key-filters.ts';
import type { Claim } from './slots.ts';

const KEY_BYTES = 16;

/**
 * Stores the blocks of a batch, before any event refers to them; returns the references in the order of the blocks. The
 * id is a hash of slot, number and bodies. A replay that digests the same finds its blocks; one that digests otherwise,
 * or another batch, writes others. Only retention deletes blocks, and none of an open batch.
 */
export async function storeBlocks(
  blocks: readonly EventBlock[],
  { eventBlocks }: Pick<BatchCollections, 'eventBlocks'>,
  claim: Claim,
  now: number,
): Promise<readonly Binary[]> {
  if (blocks.length === 0) return [];
  const documents = blocks.map((block) => blockDocument(block, claim, now));
  const sorted = [...documents].sort((a, b) => byId(a._id, b._id));
  const refused = duplicatesIn(await eventBlocks.insertMany(sorted as unknown as Doc[]));
  const known = refused.flatMap((index) => sorted[index] ?? []);
  if (known.length > 0 && (await findKeys(eventBlocks, known, { _id: 1 })).length < known.length) {
    throw unconfirmed('a block that was refused is not there');
  }
  return documents.map(({ _id }) => blockRef(_id));
}

function blockDocument(
  { projectId, eventIds, bodies }: EventBlock,
  { slot, n }: Claim,
  now: number,
): EventBlockDocument {
  const hash = createHash('sha256').update(`${slot} ${n} `).update(bodies).digest('hex');
  return {
    _id: key(projectId, hash.slice(0, 2 * KEY_BYTES), KEY_BYTES),
    p: projectId,
    s: slot,
    n,
    t: now,
    e: new mongo.Binary(Buffer.from(eventIds.join(''), 'hex')),
    d: new mongo.Binary(bodies),
  };
}
