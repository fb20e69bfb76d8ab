import { computed, onScopeDispose, shallowRef, watch } from 'vue';
import { ApiFailure } from '../../api/api-failure.ts';
import { listEventIds, type EventFilter } from '../../api/events-api.ts';
import { useConnection } from '../../app/connection.ts';

/** Which events are walked through. */
interface Asked {
  readonly project: string;
  readonly errorId: string;
  readonly filter: EventFilter;
}

/** Ids of the events that fit, newest first, as far as they are read. */
interface Sequence {
  readonly key: string;
  readonly ids: readonly string[];
  /** Cursor of the following page; null: all are read. */
  readonly next: string | null;
}

/** Requests for the count at most; a filter may look at many events without a match. */
const MAX_REQUESTS = 5;
/** Requests for the oldest event at most: together they cover the default limit of stored events per error. */
const MAX_FOR_OLDEST = 100;

/** Sequence of this tab, so that a step does not read it again. */
let kept: Sequence | null = null;

const keyOf = ({ project, errorId, filter }: Asked): string => JSON.stringify([project, errorId, filter]);

/** Place of the shown event among those that fit, from 0; -1: it is not among them. */
function placeIn({ ids }: Sequence, { eventId }: Around): number {
  return eventId === null ? Math.min(0, ids.length - 1) : ids.indexOf(eventId);
}

/** Keeps the events that a table read, because one of them may be opened. */
export function keepEvents(asked: Asked, ids: readonly string[], next: string | null): void {
  kept = { key: keyOf(asked), ids, next };
}

/** Asked events, and the one of them that the address names; null: the newest one. */
type Around = Asked & { readonly eventId: string | null };

/** The events of an error that fit the filter of the address, around the shown one; nothing without a filter. */
export function useFilteredEvents(asked: () => Around | null) {
  const sequence = shallowRef<Sequence | null>(null);
  /** Whether the last request failed. */
  const failed = shallowRef(false);
  let run = new AbortController();

  /** Adds further pages to a sequence, and shows it then. */
  async function read(from: Sequence, { project, errorId, filter }: Asked, requests: number): Promise<void> {
    run.abort();
    const mine = (run = new AbortController());
    try {
      let { ids, next } = from;
      for (let turn = 0; turn < requests && next !== null; turn += 1) {
        const page = await listEventIds(project, errorId, filter, next, mine.signal);
        ids = [...ids, ...page.ids];
        next = page.next;
      }
      if (mine.signal.aborted) return;
      sequence.value = kept = { key: from.key, ids, next };
      failed.value = false;
    } catch (caught) {
      if (!mine.signal.aborted) failed.value = true;
      // The event is shown without its place, and the next step repeats the request.
      if (!mine.signal.aborted && !(caught instanceof ApiFailure)) throw caught;
    }
  }

  async function find(again = false): Promise<void> {
    const of = asked();
    const key = of === null ? null : keyOf(of);
    if (of === null || key === null) {
      run.abort();
      sequence.value = null;
      return;
    }
    const hasIt = ({ ids }: Sequence) => of.eventId === null || ids.includes(of.eventId);
    if (sequence.value?.key === key && hasIt(sequence.value) && !again) return;
    const known = !again && of.eventId !== null && kept?.key === key && hasIt(kept) ? kept : null;
    if (!again) sequence.value = known;
    failed.value = false;
    await read(known ?? { key, ids: [], next: '' }, of, MAX_REQUESTS);
  }

  /** Id of the event beside the shown one; null when there is none. `1`: the older one. */
  async function beside(step: 1 | -1): Promise<string | null> {
    const of = asked();
    const at = of === null || sequence.value === null ? -1 : placeIn(sequence.value, of);
    if (of === null || at === -1) return null;
    if (sequence.value !== null && at + step === sequence.value.ids.length)
      await read(sequence.value, of, MAX_REQUESTS);
    return sequence.value?.ids[at + step] ?? null;
  }

  /** Id of the newest event that fits, also when it came meanwhile. */
  async function newest(): Promise<string | null> {
    await find(true);
    return sequence.value?.ids[0] ?? null;
  }

  /** Id of the oldest one. */
  async function oldest(): Promise<string | null> {
    const of = asked();
    if (of !== null && sequence.value !== null) await read(sequence.value, of, MAX_FOR_OLDEST);
    return sequence.value?.next === null ? (sequence.value.ids.at(-1) ?? null) : null;
  }

  /** Id of the event to show: that of the address, otherwise the newest that fits; null: none, undefined: unknown yet. */
  const wanted = computed(() => {
    const of = asked();
    if (of === null || of.eventId !== null) return of?.eventId ?? null;
    if (sequence.value?.key !== keyOf(of)) return failed.value ? null : undefined;
    return sequence.value.ids[0] ?? null;
  });

  /** Place of the shown event; null while it is not known. `position`: 1 for the newest, null when it does not fit. */
  const place = computed(() => {
    const of = asked();
    if (of === null || sequence.value === null) return null;
    const { ids, next } = sequence.value;
    const at = placeIn(sequence.value, of);
    return { position: at === -1 ? null : at + 1, count: ids.length, complete: next === null };
  });

  watch(
    () => JSON.stringify(asked()),
    () => void find(),
    { immediate: true },
  );
  watch(useConnection().returns, () => {
    if (place.value === null) void find();
  });
  onScopeDispose(() => run.abort());

  return { wanted, place, beside, newest, oldest };
}
