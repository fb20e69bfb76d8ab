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

function given(filter: EventFilter): Partial<EventFilter> {
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
    ...given(filter),
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

/** Address of all events that fit as CSV; a link downloads it. */
export function eventsCsvUrl(project: string, errorId: string, filter: EventFilter): string {
  const search = new URLSearchParams({ ...given(filter), bom: 'true' });
  const error = `${encodeURIComponent(project)}/error_tracking/errors/${encodeURIComponent(errorId)}`;
  return `${basePath}/api/v4/projects/${error}/events.csv?${search.toString()}`;
}
