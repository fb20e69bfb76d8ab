import {
  MAX_EVENTS_SEARCHED,
  type EventOptions,
  type EventPage,
  type EventWithBody,
} from '../domain/events/event-list.ts';
import type { ErrorStore } from '../domain/ports/stores/error-store.ts';
import type { EventSummary } from '../domain/events/tracked-event.ts';
import { columnsOf, fitsFilter } from './event-columns.ts';

interface ListedEvents {
  readonly limit: number;
  readonly cursor: string | null;
  readonly options?: EventOptions | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Events with bodies read at a time while a filter looks for some, so that other requests are served between. */
const STEP = 50;

function rowOf({ event, ...summary }: EventWithBody, { columns }: EventOptions): EventSummary {
  return columns === true ? { ...summary, columns: event === null ? null : columnsOf(event) } : summary;
}

/** Returns a page of an error's events, with columns or a filter; null when the error is unknown. */
export async function listEvents(
  store: Pick<ErrorStore, 'listEvents' | 'readEvents'>,
  projectId: number,
  errorId: string,
  { limit, cursor, options = {}, signal }: ListedEvents,
): Promise<EventPage | null> {
  const { columns, filter } = options;
  if (filter === undefined) {
    if (columns !== true) return store.listEvents(projectId, errorId, limit, cursor);
    const page = await store.readEvents(projectId, errorId, limit, cursor);
    return page === null ? null : { ...page, items: page.items.map((row) => rowOf(row, options)) };
  }
  const items: EventSummary[] = [];
  let searched = 0;
  let next = cursor;
  do {
    signal?.throwIfAborted();
    const page = await store.readEvents(projectId, errorId, Math.min(STEP, MAX_EVENTS_SEARCHED - searched), next);
    if (page === null) return null;
    const found = page.items.flatMap((row, at) => (row.event !== null && fitsFilter(row.event, filter) ? [at] : []));
    // A full page ends with its last row, whose cursor the store has.
    const last = found[limit - items.length - 1];
    const looked = last === undefined ? page.items : page.items.slice(0, last + 1);
    items.push(
      ...found.flatMap((at) => (at < looked.length ? (page.items[at] ?? []) : [])).map((row) => rowOf(row, options)),
    );
    searched += looked.length;
    if (looked.length === page.items.length) next = page.next;
    else next = (await store.listEvents(projectId, errorId, looked.length, next))?.next ?? null;
  } while (next !== null && items.length < limit && searched < MAX_EVENTS_SEARCHED);
  return { items, previous: null, next, searched };
}
