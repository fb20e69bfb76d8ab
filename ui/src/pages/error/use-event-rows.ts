import { onScopeDispose, shallowRef, watch } from 'vue';
import { ApiFailure } from '../../api/api-failure.ts';
import { listEventRows, type EventFilter, type EventRow } from '../../api/events-api.ts';
import { useConnection } from '../../app/connection.ts';

/** Rows that one press of the button adds at least, as far as there are any. */
const WANTED = 25;
/** Maximum of requests for these rows; a filter may look at many events without a match. */
const MAX_REQUESTS = 5;

/** Stored events of an error, read page by page. A change of what is asked for starts again. */
export function useEventRows(asked: () => { project: string; errorId: string; filter: EventFilter }) {
  const rows = shallowRef<readonly EventRow[]>([]);
  /** Events that the filter looked at so far; null without a filter. */
  const searched = shallowRef<number | null>(null);
  const next = shallowRef<string | null>(null);
  const failure = shallowRef<ApiFailure | null>(null);
  const busy = shallowRef(true);
  let run = new AbortController();

  /** Reads pages until there are enough rows to see. */
  async function read(from: string): Promise<void> {
    const mine = (run = new AbortController());
    const { project, errorId, filter } = asked();
    busy.value = true;
    failure.value = null;
    let cursor: string | null = from;
    let added = 0;
    try {
      for (let turn = 0; turn < MAX_REQUESTS && cursor !== null && added < WANTED; turn += 1) {
        const page = await listEventRows(project, errorId, filter, cursor, mine.signal);
        if (mine.signal.aborted) return;
        rows.value = [...rows.value, ...page.events];
        if (page.searched !== null) searched.value = (searched.value ?? 0) + page.searched;
        added += page.events.length;
        cursor = page.next;
        next.value = cursor;
      }
    } catch (caught) {
      if (mine.signal.aborted) return;
      if (!(caught instanceof ApiFailure)) throw caught;
      failure.value = caught;
    } finally {
      if (run === mine) busy.value = false;
    }
  }

  async function load(): Promise<void> {
    run.abort();
    rows.value = [];
    searched.value = null;
    next.value = null;
    await read('');
  }

  async function loadMore(): Promise<void> {
    if (!busy.value && next.value !== null) await read(next.value);
  }

  watch(() => JSON.stringify(asked()), load, { immediate: true });
  watch(useConnection().returns, () => {
    if (failure.value !== null) void load();
  });
  onScopeDispose(() => run.abort());

  return { rows, searched, next, failure, busy, load, loadMore };
}
