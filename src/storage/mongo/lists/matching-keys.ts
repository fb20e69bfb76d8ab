import type { mongo } from 'mongoose';
import type { Doc } from '../batch/batch-collections.ts';
import { hex } from '../batch/marked-rows.ts';
import type { Binary } from '../document-keys.ts';
import { reading } from '../operation-options.ts';
import type { QueryName } from '../query-names.ts';

/**
 * Returns the keys, as hex, of the documents that match a filter by their `_id`. They come as one document: FerretDB
 * takes twice as long for a thousand small ones.
 */
export async function matchingKeys<T extends { readonly _id: Binary }>(
  collection: mongo.Collection<T>,
  filter: Doc,
  name: QueryName,
): Promise<string[]> {
  const stages = [{ $match: filter }, { $group: { _id: null, keys: { $push: '$_id' } } }];
  const [found] = await collection.aggregate<{ readonly keys: readonly Binary[] }>(stages, reading(name)).toArray();
  return found === undefined ? [] : found.keys.map(hex);
}
