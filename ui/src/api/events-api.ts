import { basePath } from '../lib/base-path.ts';
import { cursorsOf, type Cursors } from '../lib/link-header.ts';
import { answered, api } from './client.ts';
import type { components, operations } from './schema.d.ts';

export type EventRow = components['schemas']['EventSummary'];

type EventParameters = NonNullable<operations['listEvents']['parameters']['query']>;

/** Conditions on the events of an error; empty texts: none. `tag`: `key:value`. */
export type EventFilter = Readonly<Record<'environment' | 'release' | 'user' | 'tag', string>>;

export interface EventRowPage extends Cursors {
  readonly events: readonly EventRow[];
  /** Events that a filter looked at for this page; null without a filter. */
  readonly searched: number | null;
}

const PER_PAGE = 50;
/** Ids per request: the maximum of the service. */
const IDS_PER_PAGE = 100;

/** Conditions that a filter has. */
export function givenOf(filter: EventFilter): Partial<EventFilter> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
}

/** Lists the stored events of an error with their columns, newest first. An empty cursor means the first page. */
export async function listEventRows(
  project: string,
  errorId: string,
  filter: EventFilter,
  cursor: string,
  signal: AbortSignal,
): Promise<EventRowPage> {
  const query: EventParameters = {
    ...givenOf(filter),
    columns: true,
    per_page: PER_PAGE,
    ...(cursor === '' ? {} : { cursor }),
  };
  const path = { id: project, error_id: errorId };
  const { data, headers } = await answered(
    api.GET('/api/v4/projects/{id}/error_tracking/errors/{error_id}/events', { params: { path, query }, signal }),
  );
  const searched = headers.get('X-Errgate-Searched');
  return { events: data, searched: searched === null ? null : Number(searched), ...cursorsOf(headers.get('Link')) };
}

/** Lists the ids of the stored events that fit, newest first. An empty cursor means the first page. */
export async function listEventIds(
  project: string,
  errorId: string,
  filter: EventFilter,
  cursor: string,
  signal: AbortSignal,
): Promise<{ readonly ids: readonly string[]; readonly next: string | null }> {
  const query = { ...givenOf(filter), per_page: IDS_PER_PAGE, ...(cursor === '' ? {} : { cursor }) };
  const path = { id: project, error_id: errorId };
  const { data, headers } = await answered(
    api.GET('/api/v4/projects/{id}/error_tracking/errors/{error_id}/events', { params: { path, query }, signal }),
  );
  return { ids: data.map((event) => event.event_id), next: cursorsOf(headers.get('Link')).next };
}

/** Address of all events that fit as CSV; a link downloads it. */
export function eventsCsvUrl(project: string, errorId: string, filter: EventFilter): string {
  const search = new URLSearchParams({ ...givenOf(filter), bom: 'true' });
  const error = `${encodeURIComponent(project)}/error_tracking/errors/${encodeURIComponent(errorId)}`;
  return `${basePath}/api/v4/projects/${error}/events.csv?${search.toString()}`;
}
