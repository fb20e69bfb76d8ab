import { MAX_FILTER_VALUES, MAX_RELEASE_NAMES, type FilterValues } from '../../../domain/tracked-error.ts';
import { ERRORS_LOOKED_AT, environmentNames } from '../../environment-names.ts';
import { STATUS_CODES } from '../../error-status.ts';
import type { MongoContext } from '../context.ts';
import type { ErrorDocument } from '../documents.ts';
import { reading } from '../operation-options.ts';

type Seen = Pick<ErrorDocument, 'env' | 'g'>;

/** Returns the values that errors can be filtered by; see the port. */
export async function filterValues(context: MongoContext, projectId: number): Promise<FilterValues> {
  const [ofReleases, ofErrors, releases] = await Promise.all([
    environmentsOfReleases(context, projectId),
    environmentsOfErrors(context, projectId),
    newestReleases(context, projectId, MAX_FILTER_VALUES),
  ]);
  return { environments: environmentNames(ofErrors, ofReleases), releases };
}

/** Returns names of releases; see the port. */
export function releaseNames(context: MongoContext, projectId: number): Promise<string[]> {
  return newestReleases(context, projectId, MAX_RELEASE_NAMES);
}

async function newestReleases({ collections }: MongoContext, p: number, limit: number): Promise<string[]> {
  const found = await collections.releases
    .find<{ readonly r: string }>({ p, e: '' }, reading('releases.names', { r: 1 }))
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

/** Returns environments of the errors seen last, single and merged. */
async function environmentsOfErrors({ collections }: MongoContext, p: number): Promise<string[]> {
  const newest = Object.values(STATUS_CODES).flatMap((st) => [
    collections.errors
      .find<Seen>({ p, st, into: null }, reading('errors.environments', { env: 1 }))
      .sort({ 'last.at': -1, id: -1 })
      .limit(ERRORS_LOOKED_AT)
      .toArray(),
    collections.errors
      .find<Seen>({ p, st, g: { $exists: true } }, reading('errors.merged_environments', { 'g.env': 1 }))
      .sort({ 'g.last.at': -1, id: -1 })
      .limit(ERRORS_LOOKED_AT)
      .toArray(),
  ]);
  const rows = (await Promise.all(newest)).flat();
  return rows.flatMap(({ env, g }) => g?.env ?? env ?? []);
}
