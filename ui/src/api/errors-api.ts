import { basePath } from '../lib/base-path.ts';
import { cursorsOf, type Cursors } from '../lib/link-header.ts';
import { answered, api, type Answered } from './client.ts';
import type { components, operations } from './schema.d.ts';

type Schemas = components['schemas'];
export type TrackedError = Schemas['Error'];
export type ErrorDetail = Schemas['ErrorDetail'];
export type ErrorStatus = TrackedError['status'];
/** What a status waits for, as it is set. */
export type NewStatusDetails = Schemas['NewStatusDetails'];
export type TrackedEvent = Schemas['Event'];
export type Capabilities = Schemas['Capabilities'];
export type ListParameters = NonNullable<operations['listErrors']['parameters']['query']>;

export interface ErrorPage extends Cursors {
  readonly errors: readonly TrackedError[];
  /** Time of the copy that is shown while the external tracker is unavailable; null for current data. */
  readonly staleSince: string | null;
  /** How the search was read, where it may be meant otherwise; empty: as it is. */
  readonly hint: string;
}

export async function listErrors(project: string, query: ListParameters, signal?: AbortSignal): Promise<ErrorPage> {
  const { data, headers } = await answered(
    api.GET('/api/v4/projects/{id}/error_tracking/errors', {
      params: { path: { id: project }, query },
      ...(signal === undefined ? {} : { signal }),
    }),
  );
  const [staleSince, hint] = ['X-Errgate-Stale-Since', 'X-Errgate-Search-Hint'].map((name) => headers.get(name));
  return { errors: data, staleSince: staleSince ?? null, hint: hint ?? '', ...cursorsOf(headers.get('Link')) };
}

/** Address of the whole list as CSV, in the order of the query; a link downloads it. */
export function errorsCsvUrl(project: string, { cursor: _, per_page: __, ...query }: ListParameters): string {
  const given = Object.entries({ ...query, bom: 'true' }).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  const search = new URLSearchParams(given);
  return `${basePath}/api/v4/projects/${encodeURIComponent(project)}/error_tracking/export.csv?${search.toString()}`;
}

/** Checks whether the project has any error in any status. */
export async function hasErrors(project: string): Promise<boolean> {
  const { errors } = await listErrors(project, { status: 'all', sort: 'last_seen', per_page: 1 });
  return errors.length > 0;
}

export async function getError(project: string, errorId: string, signal?: AbortSignal): Promise<ErrorDetail> {
  const { data } = await answered(
    api.GET('/api/v4/projects/{id}/error_tracking/errors/{error_id}', {
      params: { path: { id: project, error_id: errorId } },
      ...(signal === undefined ? {} : { signal }),
    }),
  );
  return data;
}

export type AffectedUser = operations['listAffectedUsers']['responses'][200]['content']['application/json'][number];

/** Lists users of the newest stored events, latest first. Only for projects whose errors are stored here. */
export async function listAffectedUsers(
  project: string,
  errorId: string,
  signal: AbortSignal,
): Promise<readonly AffectedUser[]> {
  const params = { path: { id: project, error_id: errorId } };
  return (await answered(api.GET('/api/v4/projects/{id}/error_tracking/errors/{error_id}/users', { params, signal })))
    .data;
}

/** Sets the status of an error. External trackers refuse `details`. */
export async function setErrorStatus(
  project: string,
  errorId: string,
  status: ErrorStatus,
  details?: NewStatusDetails,
): Promise<ErrorDetail> {
  const { data } = await answered(
    api.PUT('/api/v4/projects/{id}/error_tracking/errors/{error_id}', {
      params: { path: { id: project, error_id: errorId } },
      body: { status, ...(details === undefined ? {} : { status_details: details }) },
    }),
  );
  return data;
}

export async function getCapabilities(project: string): Promise<Capabilities> {
  const { data } = await answered(
    api.GET('/api/v4/projects/{id}/error_tracking/capabilities', { params: { path: { id: project } } }),
  );
  return data;
}

/**
 * Reads one event; without an id the latest. Throws an `ApiFailure` of kind `missing` when no such event is stored.
 */
export async function getEvent(
  project: string,
  errorId: string,
  eventId: string | null,
  signal: AbortSignal,
): Promise<TrackedEvent> {
  const path = { id: project, error_id: errorId };
  const { data } = await answered(
    eventId === null
      ? api.GET('/api/v4/projects/{id}/error_tracking/errors/{error_id}/events/latest', { params: { path }, signal })
      : api.GET('/api/v4/projects/{id}/error_tracking/errors/{error_id}/events/{event_id}', {
          params: { path: { ...path, event_id: eventId } },
          signal,
        }),
  );
  return data;
}

/** Reads the oldest stored event of an error. External trackers do not have it. */
export async function getOldestEvent(project: string, errorId: string, signal: AbortSignal): Promise<TrackedEvent> {
  const params = { path: { id: project, error_id: errorId } };
  const { data } = await answered(
    api.GET('/api/v4/projects/{id}/error_tracking/errors/{error_id}/events/oldest', { params, signal }),
  );
  return data;
}
/** Events per request: the maximum of the service. */
const EVENTS_PER_PAGE = 100;
/** Maximum of pages read; together they cover the default limit of stored events per error. */
const MAX_EVENT_PAGES = 100;

/**
 * Finds the id of the oldest event in an external tracker; null when there is none. Reads all pages, because the list is
 * newest first.
 */
export async function findFirstEvent(project: string, errorId: string, signal: AbortSignal): Promise<string | null> {
  let cursor: string | null = null;
  let last: string | null = null;
  for (let page = 0; page < MAX_EVENT_PAGES; page += 1) {
    const answer: Answered<Schemas['EventSummary'][]> = await answered(
      api.GET('/api/v4/projects/{id}/error_tracking/errors/{error_id}/events', {
        params: {
          path: { id: project, error_id: errorId },
          query: { per_page: EVENTS_PER_PAGE, ...(cursor === null ? {} : { cursor }) },
        },
        signal,
      }),
    );
    last = answer.data.at(-1)?.event_id ?? last;
    cursor = cursorsOf(answer.headers.get('Link')).next;
    if (cursor === null) break;
  }
  return last;
}
