import type { Binary } from '../documents.ts';
import type { BatchCollection, Doc } from './batch-collections.ts';

/**
 * A router of a sharded cluster looks up the shards of every combination of a project and an `_id` that one
 * filter names, and refuses filters with millions of them. Below this many it has nothing to do.
 */
const MAX_COMBINATIONS = 20_000;

export interface Keyed {
  readonly _id: Binary;
  readonly p: number;
}

export interface KeyFilter {
  readonly _id: { readonly $in: readonly Binary[] };
  readonly p: { readonly $in: readonly number[] };
}

/**
 * Filters that together match these documents: one, as a rule; several where many keys of many projects are
 * meant, each with whole projects in it, so that combinations add up instead of multiplying. At least one
 * project is in each, whatever the number of its keys. Keys keep their order within a filter.
 */
export function keyFilters(documents: readonly Keyed[], maxCombinations = MAX_COMBINATIONS): KeyFilter[] {
  const byProject = new Map<number, Binary[]>();
  for (const { _id, p } of documents) {
    const ids = byProject.get(p);
    if (ids === undefined) byProject.set(p, [_id]);
    else ids.push(_id);
  }
  const filters: KeyFilter[] = [];
  let [ids, projects]: [Binary[], number[]] = [[], []];
  const finish = (): void => {
    if (projects.length > 0) filters.push({ _id: { $in: ids }, p: { $in: projects } });
    [ids, projects] = [[], []];
  };
  for (const [p, more] of byProject) {
    if ((projects.length + 1) * (ids.length + more.length) > maxCombinations) finish();
    projects.push(p);
    // Not spread: a call takes only so many arguments.
    for (const _id of more) ids.push(_id);
  }
  finish();
  return filters;
}

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
