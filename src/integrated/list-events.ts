import { MAX_EVENTS_SEARCHED, type EventOptions, type EventPage } from '../domain/event-list.ts';
import type { ErrorStore } from '../domain/ports/error-store.ts';
import type { EventSummary } from '../domain/tracked-error.ts';

interface ListedEvents {
  readonly limit: number;
  readonly cursor: string | null;
  readonly options?: EventOptions | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns a page of an error's events; null when it is unknown. With a filter asks the store again until the page is
 * full or MAX_EVENTS_SEARCHED events were looked at, so that other requests are served between.
 */
export async function listEvents(
  store: Pick<ErrorStore, 'listEvents'>,
  projectId: number,
  errorId: string,
  { limit, cursor, options = {}, signal }: ListedEvents,
): Promise<EventPage | null> {
  const first = await store.listEvents(projectId, errorId, limit, cursor, options);
  if (options.filter === undefined || first === null) return first;
  const items: EventSummary[] = [...first.items];
  let { next } = first;
  let searched = first.searched ?? 0;
  while (next !== null && items.length < limit && searched < MAX_EVENTS_SEARCHED) {
    await new Promise(setImmediate);
    signal?.throwIfAborted();
    const page = await store.listEvents(projectId, errorId, limit - items.length, next, options);
    // Deleted meanwhile.
    if (page === null) return null;
    items.push(...page.items);
    searched += page.searched ?? 0;
    next = page.next;
  }
  return { items, previous: null, next, searched };
}
