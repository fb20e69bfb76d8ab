import { MAX_FILTER_VALUES, MAX_RELEASE_NAMES, type FilterValues } from '../../../domain/search/error-query.ts';
import { environmentNames } from '../../search/environment-names.ts';
import type { MongoContext } from '../engine/context.ts';
import { reading } from '../engine/operation-options.ts';
import { newestErrors } from './newest-errors.ts';

/** Returns the values that errors can be filtered by; see the port. */
export async function filterValues(
  context: MongoContext,
  projectId: number,
  environment: string | null = null,
): Promise<FilterValues> {
  const [ofReleases, ofErrors, releases] = await Promise.all([
    environmentsOfReleases(context, projectId),
    newestErrors(context, projectId),
    newestReleases(context, projectId, environment, MAX_FILTER_VALUES),
  ]);
  const environments = environmentNames(
    ofErrors.flatMap((error) => error.environments),
    ofReleases,
  );
  return { environments, releases };
}

/** Returns names of releases; see the port. */
export function releaseNames(context: MongoContext, projectId: number): Promise<string[]> {
  return newestReleases(context, projectId, null, MAX_RELEASE_NAMES);
}

/** `environment` null: all. */
async function newestReleases(
  { collections }: MongoContext,
  p: number,
  environment: string | null,
  limit: number,
): Promise<string[]> {
  const found = await collections.releases
    .find<{ readonly r: string }>({ p, e: environment ?? '' }, reading('releases.names', { r: 1 }))
    .sort({ first: -1, _id: -1 })
    .limit(limit)
    .toArray();
  return found.map(({ r }) => r);
}

/** Returns environments of releases. The server seeks each name in the index, past all its releases. */
async function environmentsOfReleases({ collections }: MongoContext, p: number): Promise<string[]> {
  const stages = [{ $match: { p, e: { $gt: '' } } }, { $group: { _id: '$e' } }, { $limit: MAX_FILTER_VALUES }];
  const options = reading('releases.environments');
  const names = await collections.releases.aggregate<{ _id: string }>(stages, options).toArray();
  return names.map(({ _id }) => _id);
}
