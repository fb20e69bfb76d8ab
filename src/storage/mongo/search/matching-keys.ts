import type { mongo } from 'mongoose';
import type { Doc } from '../engine/batch-collections.ts';
import { hex } from '../batch/marked-rows.ts';
import type { Binary } from '../documents/document-keys.ts';
import { reading } from '../engine/operation-options.ts';
import type { QueryName } from '../engine/query-name.ts';

/** Keys up to which a server answers sooner with a document for each than with one for all. */
const FEW_KEYS = 200;

/**
 * Returns those of the keys, as hex, whose documents match a filter. Those of many come as one document: FerretDB takes
 * twice as long for a thousand small ones.
 */
export async function matchingKeys<T extends { readonly _id: Binary }>(
  collection: mongo.Collection<T>,
  keys: readonly Binary[],
  filter: Doc,
  name: QueryName,
): Promise<ReadonlySet<string>> {
  const among = { _id: { $in: [...keys] }, ...filter };
  if (keys.length <= FEW_KEYS) {
    const cursor = collection.find<{ readonly _id: Binary }>(among as mongo.Filter<T>, reading(name, { _id: 1 }));
    return new Set((await cursor.toArray()).map(({ _id }) => hex(_id)));
  }
  const stages = [{ $match: among }, { $group: { _id: null, keys: { $push: '$_id' } } }];
  const [found] = await collection.aggregate<{ readonly keys: readonly Binary[] }>(stages, reading(name)).toArray();
  return new Set(found?.keys.map(hex));
}
