import { onScopeDispose, shallowRef, watch, type Ref } from 'vue';
import { ApiFailure } from '../../api/api-failure.ts';
import { findFirstEvent, getError, getEvent, type ErrorDetail, type TrackedEvent } from '../../api/errors-api.ts';
import { useConnection } from '../../app/connection.ts';
import { usePolling } from '../../lib/use-polling.ts';

/** Milliseconds between two looks for new counts. */
const POLL_MS = 6000;

/** One error and one of its events; without an id in the address the latest. */
export function useError(project: Ref<string>, errorId: Ref<string>, eventId: Ref<string | null>) {
  const error = shallowRef<ErrorDetail | null>(null);
  const event = shallowRef<TrackedEvent | null>(null);
  const failure = shallowRef<ApiFailure | null>(null);
  const eventFailure = shallowRef<ApiFailure | null>(null);
  const busy = shallowRef(false);
  let errorRun = new AbortController();
  let eventRun = new AbortController();

  async function loadError(): Promise<boolean> {
    errorRun.abort();
    const mine = new AbortController();
    errorRun = mine;
    try {
      const fresh = await getError(project.value, errorId.value, mine.signal);
      if (!mine.signal.aborted) {
        error.value = fresh;
        failure.value = null;
      }
      return true;
    } catch (caught) {
      if (mine.signal.aborted) return true;
      if (!(caught instanceof ApiFailure)) throw caught;
      // What is shown stays while the service is away.
      if (error.value === null || caught.kind !== 'offline') failure.value = caught;
      return false;
    }
  }

  async function loadEvent(): Promise<void> {
    eventRun.abort();
    const mine = new AbortController();
    eventRun = mine;
    busy.value = true;
    try {
      const fresh = await getEvent(project.value, errorId.value, eventId.value, mine.signal);
      if (mine.signal.aborted) return;
      event.value = fresh;
      eventFailure.value = null;
    } catch (caught) {
      if (mine.signal.aborted) return;
      if (!(caught instanceof ApiFailure)) throw caught;
      if (event.value === null || caught.kind !== 'offline') eventFailure.value = caught;
    } finally {
      if (eventRun === mine) busy.value = false;
    }
  }

  /** Id of the first event that is still stored; null when it cannot be found out now. */
  async function firstEvent(): Promise<string | null> {
    eventRun.abort();
    const mine = new AbortController();
    eventRun = mine;
    busy.value = true;
    try {
      return await findFirstEvent(project.value, errorId.value, mine.signal);
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

  return { error, event, failure, eventFailure, busy, load, loadError, loadEvent, firstEvent };
}
