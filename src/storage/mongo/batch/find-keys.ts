import type { BatchCollection, Doc } from './batch-collections.ts';
import { keyFilters, type Keyed } from './key-filters.ts';

/** Those of the documents that are there, in no order. */
export async function findKeys(
  collection: BatchCollection,
  documents: readonly Keyed[],
  projection: Doc,
): Promise<Doc[]> {
  const find = (filter: object) => collection.find({ ...filter }, projection, 'local');
  return (await Promise.all(keyFilters(documents).map(find))).flat();
}
