import type { BlockContext } from '../batch/block-removal.ts';
import { batchCollections } from '../batch/mongo-collections.ts';
import type { MongoContext } from '../engine/context.ts';

/** Returns the collections and the clock for the removal and packing of blocks. */
export function blockContext({ connection, now }: MongoContext): BlockContext {
  return { collections: batchCollections(connection), now };
}
