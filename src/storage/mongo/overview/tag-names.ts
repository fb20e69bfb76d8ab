import { MAX_TAG_NAMES } from '../../../domain/search/search-keys.ts';
import { suggestedValues } from '../../search/suggested-values.ts';
import type { MongoContext } from '../engine/context.ts';
import type { ErrorTagsDocument } from '../documents/error-documents.ts';
import { tagHash } from '../documents/tag-terms.ts';
import { reading } from '../engine/operation-options.ts';
import { newestErrors } from './newest-errors.ts';

/** Sorts by code units, as SQLite does. */
function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns the names of tags that a project's errors have; see the port. Values are not sent. */
export async function tagNames(context: MongoContext, p: number): Promise<string[]> {
  const keys = (await newestErrors(context, p)).map(({ _id }) => _id);
  if (keys.length === 0) return [];
  const stages = [
    { $match: { _id: { $in: keys }, p } },
    { $project: { k: { $map: { input: { $objectToArray: '$t' }, in: '$$this.v.k' } } } },
  ];
  const found = await context.collections.errorTags
    .aggregate<{ readonly k: readonly string[] }>(stages, reading('tags.names'))
    .toArray();
  return [...new Set(found.flatMap(({ k }) => k))].sort(byName).slice(0, MAX_TAG_NAMES);
}

/** Returns values of a tag that begin with a prefix; see the port. */
export async function tagValues(
  context: MongoContext,
  p: number,
  key: string,
  prefix: string,
  names: boolean,
): Promise<string[]> {
  const keys = (await newestErrors(context, p)).map(({ _id }) => _id);
  if (keys.length === 0) return [];
  const member = `t.${tagHash(key)}`;
  const found = await context.collections.errorTags
    .find<Pick<ErrorTagsDocument, 't'>>({ _id: { $in: keys }, p }, reading('tags.values', { [member]: 1 }))
    .batchSize(keys.length)
    .toArray();
  const values = found.flatMap(({ t = {} }: Partial<Pick<ErrorTagsDocument, 't'>>) =>
    Object.values(t).flatMap(({ v }) => Object.values(v ?? {}).map((each) => each.v)),
  );
  return suggestedValues(values, prefix, names);
}
