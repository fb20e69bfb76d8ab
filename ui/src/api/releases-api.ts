import { cursorsOf, type Cursors } from '../lib/link-header.ts';
import { ApiFailure } from './api-failure.ts';
import { answered, api } from './client.ts';
import type { components } from './schema.d.ts';

export type Release = components['schemas']['Release'];

export type FilterValues = components['schemas']['FilterValues'];

export type ReleaseDetail = components['schemas']['ReleaseDetail'];
export type ReleaseComparison = components['schemas']['ReleaseComparison'];
export type ReleaseError = ReleaseDetail['new']['errors'][number];

/** Deploy of a release that a build reported. */
export type Deploy = components['schemas']['DeployOfRelease'];

export interface ReleasePage extends Cursors {
  readonly releases: readonly Release[];
  /** Time of the copy that is shown while the external tracker is unavailable; null for current data. */
  readonly staleSince: string | null;
}

const PER_PAGE = 20;

export interface ReleaseListQuery {
  readonly environment: string;
  /** Absent: by first occurrence. */
  readonly sort?: 'first_seen' | 'version';
  readonly cursor: string;
}

/** Lists releases, newest or greatest first. A blank environment or cursor counts as none. */
export async function listReleases(
  project: string,
  { environment, sort = 'first_seen', cursor }: ReleaseListQuery,
  signal: AbortSignal,
): Promise<ReleasePage> {
  const query = {
    per_page: PER_PAGE,
    sort,
    ...(environment === '' ? {} : { environment }),
    ...(cursor === '' ? {} : { cursor }),
  };
  const { data, headers } = await answered(
    api.GET('/api/v4/projects/{id}/error_tracking/releases', { params: { path: { id: project }, query }, signal }),
  );
  return { releases: data, staleSince: headers.get('X-Errgate-Stale-Since'), ...cursorsOf(headers.get('Link')) };
}

/** Version of the newest release; null without one. */
export async function newestRelease(project: string, signal: AbortSignal): Promise<string | null> {
  const { data } = await answered(
    api.GET('/api/v4/projects/{id}/error_tracking/releases', {
      params: { path: { id: project }, query: { per_page: 1, sort: 'first_seen' } },
      signal,
    }),
  );
  return data[0]?.release ?? null;
}

/** Lists the environments and releases of the whole project, for the filters of errors. */
/** Lists names to filter by. `environment`: releases of this one; blank: all. */
export async function listFilterValues(
  project: string,
  environment: string,
  signal: AbortSignal,
): Promise<FilterValues> {
  const query = environment === '' ? {} : { environment };
  const { data } = await answered(
    api.GET('/api/v4/projects/{id}/error_tracking/filter_values', { params: { path: { id: project }, query }, signal }),
  );
  return data;
}

const inEnvironment = (environment: string) => (environment === '' ? {} : { environment });

export async function getRelease(
  project: string,
  release: string,
  environment: string,
  signal: AbortSignal,
): Promise<ReleaseDetail> {
  const params = { path: { id: project, release }, query: inEnvironment(environment) };
  return (await answered(api.GET('/api/v4/projects/{id}/error_tracking/releases/{release}', { params, signal }))).data;
}

/** Compares two releases. Throws an `ApiFailure` that names an unknown one. */
export async function compareReleases(
  project: string,
  base: string,
  head: string,
  environment: string,
  signal: AbortSignal,
): Promise<ReleaseComparison> {
  const params = { path: { id: project }, query: { base, head, ...inEnvironment(environment) } };
  return (await answered(api.GET('/api/v4/projects/{id}/error_tracking/releases/compare', { params, signal }))).data;
}

/** Lists the newest deploys of a project, newest first; none where they cannot be read: charts are whole without them. */
export async function listDeploys(project: string, signal: AbortSignal): Promise<readonly Deploy[]> {
  const params = { path: { id: project } };
  return orNone(answered(api.GET('/api/v4/projects/{id}/error_tracking/deploys', { params, signal })));
}

/** Lists releases that builds announced and that have no events yet, newest first; none where they cannot be read. */
export async function listAnnouncedReleases(
  project: string,
  signal: AbortSignal,
): Promise<readonly components['schemas']['AnnouncedRelease'][]> {
  const params = { path: { id: project } };
  return orNone(answered(api.GET('/api/v4/projects/{id}/error_tracking/announced_releases', { params, signal })));
}

/** Returns the rows of an answer; none for a failed request. */
async function orNone<T>(answer: Promise<{ readonly data: readonly T[] }>): Promise<readonly T[]> {
  try {
    return (await answer).data;
  } catch (error) {
    if (error instanceof ApiFailure) return [];
    throw error;
  }
}
