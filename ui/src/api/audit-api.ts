import { basePath } from '../lib/base-path.ts';
import { endOfDay } from '../lib/day-end.ts';
import { cursorsOf, type Cursors } from '../lib/link-header.ts';
import { answered, api } from './client.ts';
import type { components, operations } from './schema.d.ts';

export type AuditEvent = components['schemas']['AuditEvent'];
export type AuditEventName = AuditEvent['event_name'];
export type AuditOutcome = AuditEvent['details']['outcome'];

type Parameters = NonNullable<operations['exportProjectAuditEvents']['parameters']['query']>;

/** What a log is of; null: the instance. */
export type AuditPlace = { readonly of: 'projects' | 'groups'; readonly path: string } | null;

/** Conditions on the events; empty texts: none. */
export interface AuditFilter {
  readonly event: AuditEventName | '';
  readonly outcome: AuditOutcome | '';
  /** Id of a user. */
  readonly author: string;
  /** First and last day, in the time zone of the browser: `2026-11-28`. */
  readonly from: string;
  readonly until: string;
}

export interface AuditPage extends Pick<Cursors, 'next'> {
  readonly events: readonly AuditEvent[];
}

const PER_PAGE = 50;

function parametersOf({ event, outcome, author, from, until }: AuditFilter): Parameters {
  return {
    ...(event === '' ? {} : { event_name: event }),
    ...(outcome === '' ? {} : { outcome }),
    ...(author === '' ? {} : { author_id: Number(author) }),
    ...(from === '' ? {} : { created_after: new Date(`${from}T00:00:00`).toISOString() }),
    ...(until === '' ? {} : { created_before: endOfDay(until) }),
  };
}

/** Lists events, newest first. An empty cursor means the first page. */
export async function listAuditEvents(
  place: AuditPlace,
  filter: AuditFilter,
  cursor: string,
  signal: AbortSignal,
): Promise<AuditPage> {
  const query = { ...parametersOf(filter), per_page: PER_PAGE, ...(cursor === '' ? {} : { cursor }) };
  const { data, headers } = await answered(
    place === null
      ? api.GET('/api/v4/audit_events', { params: { query }, signal })
      : api.GET(`/api/v4/${place.of}/{id}/audit_events`, { params: { path: { id: place.path }, query }, signal }),
  );
  return { events: data, next: cursorsOf(headers.get('Link')).next };
}

/** Address of all events that fit as CSV; a link downloads it. */
export function auditCsvUrl(place: AuditPlace, filter: AuditFilter): string {
  const of = place === null ? '' : `${place.of}/${encodeURIComponent(place.path)}/`;
  const given = Object.entries({ ...parametersOf(filter), bom: 'true' }).map(([name, value]) => [name, String(value)]);
  return `${basePath}/api/v4/${of}audit_events.csv?${new URLSearchParams(given).toString()}`;
}
