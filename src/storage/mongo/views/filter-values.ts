import { MAX_FILTER_VALUES, type FilterValues } from '../../../domain/tracked-error.ts';
import { ERRORS_LOOKED_AT, environmentNames } from '../../environment-names.ts';
import type { MongoContext } from '../context.ts';
import { STATUS_CODES, type ErrorDocument } from '../documents.ts';
import { rawReading, reading } from '../operation-options.ts';
import { raw } from '../raw.ts';

type Seen = Pick<ErrorDocument, 'env' | 'g'>;

/** What errors can be narrowed down by; see the port. */
export async function filterValues(context: MongoContext, projectId: number): Promise<FilterValues> {
  const [ofReleases, ofErrors, releases] = await Promise.all([
    environmentsOfReleases(context, projectId),
    environmentsOfErrors(context, projectId),
    context.models.releases
      .find({ p: projectId, e: '' }, { r: 1 })
      .setOptions(reading('releases.names'))
      .sort({ first: -1, _id: -1 })
      .limit(MAX_FILTER_VALUES)
      .lean<{ readonly r: string }[]>(),
  ]);
  return { environments: environmentNames(ofErrors, ofReleases), releases: releases.map(({ r }) => r) };
}

/** The server goes from name to name in the index, past all the releases of each. */
async function environmentsOfReleases({ models }: MongoContext, p: number): Promise<string[]> {
  const stages = [{ $match: { p, e: { $gt: '' } } }, { $group: { _id: '$e' } }, { $limit: MAX_FILTER_VALUES }];
  const options = rawReading('releases.environments');
  const names = await raw(models.releases).aggregate<{ _id: string }>(stages, options).toArray();
  return names.map(({ _id }) => _id);
}

/** Those of the errors that were seen last, one by one and merged. */
async function environmentsOfErrors({ models }: MongoContext, p: number): Promise<string[]> {
  const newest = Object.values(STATUS_CODES).flatMap((st) => [
    models.errors
      .find({ p, st, into: null }, { env: 1 })
      .setOptions(reading('errors.environments'))
      .sort({ 'last.at': -1, id: -1 })
      .limit(ERRORS_LOOKED_AT)
      .lean<Seen[]>(),
    models.errors
      .find({ p, st, g: { $exists: true } }, { 'g.env': 1 })
      .setOptions(reading('errors.merged_environments'))
      .sort({ 'g.last.at': -1, id: -1 })
      .limit(ERRORS_LOOKED_AT)
      .lean<Seen[]>(),
  ]);
  const rows = (await Promise.all(newest)).flat();
  return rows.flatMap(({ env, g }) => g?.env ?? env ?? []);
}
