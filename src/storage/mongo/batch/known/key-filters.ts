import type { Binary } from '../../documents/document-keys.ts';
import type { QueryName } from '../../engine/query-name.ts';
import type { BatchCollection, Doc } from '../../engine/batch-collections.ts';

/**
 * Maximum combinations of projects and `_id`s in one filter. A router of a sharded cluster looks up the shards of each
 * combination, and refuses filters with millions. Below this number it is fast.
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
 * Returns filters that together match these documents, usually one. Many keys of many projects need several, each with
 * whole projects, so that combinations add up instead of multiplying. Each has at least one project with any number of
 * keys. Keys keep their order within a filter.
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
    // One by one, because the number of arguments of a call is limited.
    for (const _id of more) ids.push(_id);
  }
  finish();
  return filters;
}

/**
 * Returns the existing documents, in no order. `local` includes writes that a failover may roll back. It suits
 * documents refused or written just before, because their confirmation covers all earlier writes.
 */
export async function findKeys(
  collection: BatchCollection,
  documents: readonly Keyed[],
  projection: Doc,
  concern: 'majority' | 'local' = 'local',
  name?: QueryName,
): Promise<Doc[]> {
  const find = (filter: object) => collection.find({ ...filter }, projection, concern, name);
  return (await Promise.all(keyFilters(documents).map(find))).flat();
}
