import type { BatchCollection, Doc } from './batch-collections.ts';
import { keyFilters, type Keyed } from './key-filters.ts';

/**
 * Those of the documents that are there, in no order. `local`: also what a failover may still take back; for what was
 * refused or written just now, whose confirmation covers everything before it.
 */
export async function findKeys(
  collection: BatchCollection,
  documents: readonly Keyed[],
  projection: Doc,
  concern: 'majority' | 'local' = 'local',
): Promise<Doc[]> {
  const find = (filter: object) => collection.find({ ...filter }, projection, concern);
  return (await Promise.all(keyFilters(documents).map(find))).flat();
}
