import { onScopeDispose, shallowRef, watch, type Ref } from 'vue';
import { ApiFailure } from '../../api/api-failure.ts';
import {
  findFirstEvent,
  getError,
  getEvent,
  getOldestEvent,
  type ErrorDetail,
  type TrackedEvent,
} from '../../api/errors-api.ts';
import { useConnection } from '../../app/connection.ts';
import { usePolling } from '../../lib/use-polling.ts';

/** Milliseconds between two reads of the error. */
const POLL_MS = 6000;

/** Loads an error and one of its events. `eventId`: null: the latest one; undefined: it is not known yet. */
export function useError(
  project: Ref<string>,
  errorId: Ref<string>,
  eventId: Readonly<Ref<string | null | undefined>>,
) {
  const error = shallowRef<ErrorDetail | null>(null);
  const event = shallowRef<TrackedEvent | null>(null);
  const failure = shallowRef<ApiFailure | null>(null);
  const eventFailure = shallowRef<ApiFailure | null>(null);
  const busy = shallowRef(false);
  /** Id of a newer event that arrived while another one is shown; it never replaces that automatically. */
  const newer = shallowRef<string | null>(null);
  /** Counts at the last check for a newer event that found none; null before the first check. */
  let lookedAt: string | null = null;
  let errorRun = new AbortController();
  /** Number of changes of the error that are not stored yet. */
  let changes = 0;
  /** Whether the error is to be read once they are. */
  let awaited = false;
  let reading = false;
  let eventRun = new AbortController();

  /** Awaits a change of the error. An answer that was asked for before it was stored would show the state before. */
  async function whileChanging<T>(change: Promise<T>): Promise<T> {
    changes += 1;
    awaited ||= reading;
    errorRun.abort();
    try {
      return await change;
    } finally {
      changes -= 1;
      if (changes === 0 && awaited) {
        awaited = false;
        void loadError();
      }
    }
  }

  async function loadError(): Promise<boolean> {
    if (changes > 0 && error.value?.id === errorId.value) {
      awaited = true;
      return true;
    }
    errorRun.abort();
    const mine = new AbortController();
    errorRun = mine;
    reading = true;
    try {
      const fresh = await getError(project.value, errorId.value, mine.signal);
      if (!mine.signal.aborted) {
        error.value = fresh;
        failure.value = null;
        await lookForNewer(`${fresh.count} ${fresh.last_seen}`, mine.signal);
      }
      return true;
    } catch (caught) {
      if (mine.signal.aborted) return true;
      if (!(caught instanceof ApiFailure)) throw caught;
      // The old error stays while the service is unavailable.
      if (error.value === null || caught.kind !== 'offline') failure.value = caught;
      return false;
    } finally {
      if (errorRun === mine) reading = false;
    }
  }

  /** Checks for an event after the shown one when the counts have changed. */
  async function lookForNewer(counts: string, signal: AbortSignal): Promise<void> {
    const shown = event.value;
    const last = shown !== null && shown.next_event_id === null && newer.value === null && !busy.value;
    if (!last || counts === lookedAt) return;
    try {
      const fresh = await getEvent(project.value, errorId.value, shown.event_id, signal);
      if (event.value !== shown) return;
      newer.value = fresh.next_event_id;
      lookedAt = counts;
    } catch (caught) {
      // The next poll repeats the check; the shown event is still valid.
      if (!signal.aborted && !(caught instanceof ApiFailure)) throw caught;
    }
  }

  async function loadEvent(): Promise<void> {
    eventRun.abort();
    const mine = new AbortController();
    eventRun = mine;
    busy.value = true;
    if (eventId.value === undefined) return;
    try {
      const fresh = await getEvent(project.value, errorId.value, eventId.value, mine.signal);
      if (mine.signal.aborted) return;
      event.value = fresh;
      eventFailure.value = null;
      newer.value = null;
      lookedAt = null;
    } catch (caught) {
      if (mine.signal.aborted) return;
      if (!(caught instanceof ApiFailure)) throw caught;
      if (event.value === null || caught.kind !== 'offline') eventFailure.value = caught;
    } finally {
      if (eventRun === mine) busy.value = false;
    }
  }

  /** Id of the oldest stored event; null when the request failed. */
  async function firstEvent(): Promise<string | null> {
    eventRun.abort();
    const mine = new AbortController();
    eventRun = mine;
    busy.value = true;
    try {
      const of = [project.value, errorId.value, mine.signal] as const;
      return error.value?.integrated === true ? (await getOldestEvent(...of)).event_id : await findFirstEvent(...of);
    } catch (caught) {
      if (!mine.signal.aborted && !(caught instanceof ApiFailure)) throw caught;
      return null;
    } finally {
      if (eventRun === mine) busy.value = false;
    }
  }

  function load(): void {
    void loadError();
    void loadEvent();
  }

  watch([project, errorId], () => {
    error.value = null;
    event.value = null;
    failure.value = null;
    eventFailure.value = null;
    newer.value = null;
    lookedAt = null;
    load();
  });
  watch(eventId, () => void loadEvent());
  watch(useConnection().returns, load);
  usePolling(() => (failure.value?.kind === 'missing' ? Promise.resolve(true) : loadError()), POLL_MS);
  onScopeDispose(() => {
    errorRun.abort();
    eventRun.abort();
  });
  load();

  return { error, event, newer, failure, eventFailure, busy, load, loadError, whileChanging, loadEvent, firstEvent };
}
