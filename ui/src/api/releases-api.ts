import { cursorsOf, type Cursors } from '../lib/link-header.ts';
import { answered, api } from './client.ts';
import type { components } from './schema.d.ts';

export type Release = components['schemas']['Release'];

export type FilterValues = components['schemas']['FilterValues'];

export interface ReleasePage extends Cursors {
  readonly releases: readonly Release[];
  /** Time of the copy that is shown while the external tracker is unavailable; null for current data. */
  readonly staleSince: string | null;
}

const PER_PAGE = 20;

/** Lists releases, newest first. A blank environment or cursor counts as none. */
export async function listReleases(
  project: string,
  { environment, cursor }: { readonly environment: string; readonly cursor: string },
  signal: AbortSignal,
): Promise<ReleasePage> {
  const query = {
    per_page: PER_PAGE,
    ...(environment === '' ? {} : { environment }),
    ...(cursor === '' ? {} : { cursor }),
  };
  const { data, headers } = await answered(
    api.GET('/api/v4/projects/{id}/error_tracking/releases', { params: { path: { id: project }, query }, signal }),
  );
  return { releases: data, staleSince: headers.get('X-Errgate-Stale-Since'), ...cursorsOf(headers.get('Link')) };
}

/** Lists the environments and releases of the whole project, for the filters of errors. */
export async function listFilterValues(project: string, signal: AbortSignal): Promise<FilterValues> {
  const { data } = await answered(
    api.GET('/api/v4/projects/{id}/error_tracking/filter_values', { params: { path: { id: project } }, signal }),
  );
  return data;
}
