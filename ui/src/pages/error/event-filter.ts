import type { LocationQuery } from 'vue-router';
import { givenOf, type EventFilter } from '../../api/events-api.ts';
import { queryText } from '../../lib/query-text.ts';
import { alongOf } from './list-filters.ts';
import { visibleExcerpt } from '../../lib/visible-text.ts';

/** Characters of a value in the address that count. */
const MAX_VALUE = 400;
/** Characters of a value in a sentence. */
const MAX_SHOWN = 60;

/** Filter of the events of an error, from the address. */
export function filterOf(query: LocationQuery): EventFilter {
  const textOf = (name: string) => queryText(query, name).slice(0, MAX_VALUE);
  return {
    environment: textOf('environment'),
    release: textOf('release'),
    user: textOf('user'),
    tag: textOf('tag'),
  };
}

export function isFiltered(filter: EventFilter): boolean {
  return Object.values(filter).some((value) => value !== '');
}

/** Address part with what is filtered: conditions on events, and what else came along from the list. */
export function filterQuery(query: LocationQuery): Record<string, string> {
  return { ...givenOf(filterOf(query)), ...alongOf(query) };
}

/** Query of the table of the events that fit. */
export function tableQuery(query: LocationQuery, changed: Partial<EventFilter> = {}): Record<string, string> {
  return { view: 'events', ...givenOf({ ...filterOf(query), ...changed }), ...alongOf(query) };
}

/** Query of one event, among those that fit. */
export function eventQuery(eventId: string, query: LocationQuery): Record<string, string> {
  return { event: eventId, ...filterQuery(query) };
}

/** Names what a filter asks for: `browser: Firefox 140, environment: production`. */
export function filterText({ tag, ...filter }: EventFilter): string {
  const [key, ...value] = tag.split(':');
  const parts = { ...(tag === '' ? {} : { [key ?? '']: value.join(':') }), ...givenOf({ ...filter, tag: '' }) };
  return Object.entries(parts)
    .map(([name, text]) => `${visibleExcerpt(name, MAX_SHOWN)}: ${visibleExcerpt(text, MAX_SHOWN)}`)
    .join(', ');
}
