import { computed, reactive, type Ref } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import type { ErrorDetail, TrackedEvent } from '../../api/errors-api.ts';
import { showToast } from '../../app/toasts.ts';
import { wholeNumber } from '../../lib/numbers.ts';
import { eventQuery, filterOf, filterQuery, filterText, isFiltered, tableQuery } from './event-filter.ts';
import { alongOf } from './list-filters.ts';
import { useFilteredEvents } from './use-filtered-events.ts';

/** Where the service ends to count: there may be more events. */
const MAX_COUNTED = 10_000;

/** What is known of the shown event, and what loads another one. */
interface Shown {
  readonly error: Readonly<Ref<ErrorDetail | null>>;
  readonly event: Readonly<Ref<TrackedEvent | null>>;
  /** Id of an event that arrived while the last one was shown. */
  readonly newer: Readonly<Ref<string | null>>;
  readonly busy: Readonly<Ref<boolean>>;
  readonly loadEvent: () => Promise<void>;
  readonly firstEvent: () => Promise<string | null>;
}

/** `Event 3 of 620`, counted from the first one, as far as the number of all is known. */
function placeText(position: number, count: number, complete: boolean, within: string): string {
  if (!complete) return `Event ${wholeNumber(position)} of ${wholeNumber(count)}+${within}, newest first`;
  return `Event ${wholeNumber(count - position + 1)} of ${wholeNumber(count)}${within}`;
}

/** The events of an error that fit the filter of the address, and the one of them that is shown. */
export function useFittingEvents(project: Ref<string>, errorId: Ref<string>, eventId: Ref<string | null>) {
  const route = useRoute();
  const filter = computed(() => filterOf(route.query));
  /** Whether one of them is to be shown; the table of all events reads them itself. */
  const filtered = computed(() => isFiltered(filter.value) && route.query.view !== 'events');
  const fitting = useFilteredEvents(() =>
    filtered.value
      ? { project: project.value, errorId: errorId.value, filter: filter.value, eventId: eventId.value }
      : null,
  );
  const wanted = computed(() => (filtered.value ? fitting.wanted.value : eventId.value));
  return { ...fitting, filter, filtered, wanted };
}

/** Steps through the events of an error: those that fit the filter of the address, without one all. */
export function useEventWalk(
  { filter, filtered, ...fitting }: ReturnType<typeof useFittingEvents>,
  eventId: Ref<string | null>,
  { error, event, newer, busy, loadEvent, firstEvent }: Shown,
) {
  const route = useRoute();
  const router = useRouter();

  const place = computed(() => {
    if (filtered.value) {
      if (fitting.place.value === null) return '';
      const { position, count, complete } = fitting.place.value;
      const text = filterText(filter.value);
      if (position !== null) return placeText(position, count, complete, ` with ${text}`);
      if (count === 0 && complete) return `No stored event with ${text}`;
      return `Not among the ${complete ? '' : `newest ${wholeNumber(count)} `}events with ${text}`;
    }
    if (error.value?.integrated !== true) return null;
    const { position = null, stored = null } = event.value ?? {};
    return position === null || stored === null ? '' : placeText(position, stored, stored < MAX_COUNTED, '');
  });
  /** Address of the same event, or of the latest, without the filter. */
  const unfiltered = computed(() => ({
    ...(eventId.value === null ? {} : { event: eventId.value }),
    ...alongOf(route.query),
  }));
  const within = computed(() =>
    filtered.value ? { text: filterText(filter.value), without: { query: unfiltered.value } } : null,
  );
  const older = computed(() => {
    const { value: at } = fitting.place;
    if (!filtered.value) return (event.value?.previous_event_id ?? null) !== null;
    return at !== null && at.position !== null && (at.position < at.count || !at.complete);
  });
  const hasNewer = computed(() => {
    if (!filtered.value) return (event.value?.next_event_id ?? newer.value) !== null;
    return (fitting.place.value?.position ?? 1) > 1;
  });
  const table = computed(() => tableQuery(route.query));

  function show(id: string): void {
    void router.push({ query: eventQuery(id, route.query) });
  }

  function showLatest(): void {
    void router.push({ query: filterQuery(route.query) });
  }

  function beside(to: 'older' | 'newer'): Promise<string | null> | string | null {
    if (filtered.value) return fitting.beside(to === 'older' ? 1 : -1);
    return to === 'older' ? (event.value?.previous_event_id ?? null) : (event.value?.next_event_id ?? newer.value);
  }

  async function first(): Promise<void> {
    const id = await (filtered.value ? fitting.oldest() : firstEvent());
    if (id === null) showToast('The first event could not be found.', { tone: 'danger' });
    else show(id);
  }

  /** Opens the latest event. Without an id in the address it loads again, as newer events may have arrived. */
  async function latest(): Promise<void> {
    const id = filtered.value ? await fitting.newest() : null;
    if (eventId.value === null) return loadEvent();
    if (id === null) showLatest();
    else show(id);
  }

  async function step(to: 'older' | 'newer' | 'first' | 'latest'): Promise<void> {
    if (to === 'first') return first();
    if (to === 'latest') return latest();
    const id = await beside(to);
    if (id !== null) show(id);
  }

  const arrived = computed(() => eventId.value === null && !filtered.value && newer.value !== null);
  return reactive({ older, newer: hasNewer, place, within, arrived, busy, table, step, showLatest });
}
