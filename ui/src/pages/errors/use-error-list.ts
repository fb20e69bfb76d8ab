import { computed, onScopeDispose, shallowRef, watch, type Ref } from 'vue';
import { ApiFailure } from '../../api/api-failure.ts';
import { listErrors, type ErrorPage, type TrackedError } from '../../api/errors-api.ts';
import { useConnection } from '../../app/connection.ts';
import { useIdle } from '../../lib/use-idle.ts';
import { usePolling } from '../../lib/use-polling.ts';
import { toParameters, type ListQuery } from './list-query.ts';
import { HiddenRows } from './hidden-rows.ts';
import { mergeRows } from './merge-rows.ts';

/** Milliseconds between two reads of the list. */
const POLL_MS = 4000;
/** Milliseconds without input after which new errors are shown by themselves, such as on a screen on the wall. */
const IDLE_MS = 60_000;

/** Rows that keep their places: all of them, all unless none is new, or none. */
type Hold = 'always' | 'new' | 'nothing';

/**
 * Rows of a query, refreshed periodically. `held` is true while rows must keep their places, because the user points at
 * them or works with them. New errors on the first page wait for `catchUp` in any case, so that no row is pushed down.
 */
export function useErrorList(project: Ref<string>, query: Ref<ListQuery>, held: () => boolean) {
  const rows = shallowRef<readonly TrackedError[]>([]);
  const page = shallowRef<ErrorPage | null>(null);
  const failure = shallowRef<ApiFailure | null>(null);
  const loading = shallowRef(true);
  const added = shallowRef(0);
  const behind = shallowRef(false);
  const hidden = new HiddenRows();
  const isIdle = useIdle(IDLE_MS);
  let running = new AbortController();
  /** Requests without an answer. */
  let asking = 0;
  let pageAsked = 0;

  function take(fresh: ErrorPage, hold: Hold, asked: number): void {
    page.value = fresh;
    pageAsked = asked;
    const errors = hidden.shown(fresh.errors, asked);
    const careful = mergeRows(rows.value, errors, true);
    const merged =
      hold === 'always' || (hold === 'new' && careful.added > 0) ? careful : mergeRows(rows.value, errors, false);
    rows.value = merged.rows;
    added.value = merged.added;
    behind.value = merged.behind;
    failure.value = null;
  }

  async function ask(hold: () => Hold): Promise<boolean> {
    running.abort();
    const mine = new AbortController();
    running = mine;
    const asked = hidden.ask();
    asking += 1;
    try {
      const fresh = await listErrors(project.value, toParameters(query.value), mine.signal);
      if (mine.signal.aborted || hidden.outdated(asked)) return true;
      take(fresh, hold(), asked);
      return true;
    } catch (error) {
      if (mine.signal.aborted) return true;
      if (!(error instanceof ApiFailure)) throw error;
      // Old rows stay; the connection banner explains that they may be outdated.
      if (page.value === null || error.kind !== 'offline') failure.value = error;
      return false;
    } finally {
      asking -= 1;
      if (running === mine) loading.value = false;
    }
  }

  /** Loads the page of the list; without rows, shows placeholders meanwhile. */
  async function load(): Promise<void> {
    loading.value = true;
    await ask(() => 'nothing');
  }

  /** Loads the page again and shows it as it is, without placeholders. */
  async function refresh(): Promise<void> {
    await ask(() => 'nothing');
  }

  /** What keeps its place when an answer comes without being asked for. */
  function holdNow(): Hold {
    if (held()) return 'always';
    return query.value.cursor === '' && rows.value.length > 0 && !isIdle() ? 'new' : 'nothing';
  }

  /**
   * Loads the following errors after rows have left the list. Remaining rows keep their places. Without rows, loads
   * the
   * page again.
   */
  async function refill(): Promise<void> {
    const emptied = rows.value.length === 0;
    if (!emptied && page.value?.next === null) return;
    loading.value ||= emptied && page.value?.next !== null;
    await ask(() => (emptied ? 'nothing' : 'always'));
  }

  /** Applies changes that were held back. */
  function catchUp(): void {
    if (page.value !== null && behind.value && !hidden.outdated(pageAsked)) take(page.value, 'nothing', pageAsked);
  }

  watch(
    [project, query],
    ([nextProject], [lastProject]) => {
      hidden.clear();
      added.value = 0;
      behind.value = false;
      if (nextProject !== lastProject) {
        rows.value = [];
        page.value = null;
      }
      failure.value = null;
      void load();
    },
    { flush: 'sync' },
  );
  watch(useConnection().returns, () => void load());
  usePolling(
    // A poll would replace a request that is still to show its answer as it is.
    () => (asking > 0 || failure.value?.kind === 'missing' ? Promise.resolve(true) : ask(holdNow)),
    POLL_MS,
  );
  onScopeDispose(() => running.abort());
  void load();

  return {
    rows,
    failure,
    loading,
    added,
    behind,
    hidden,
    load,
    refresh,
    refill,
    catchUp,
    previous: computed(() => page.value?.previous ?? null),
    next: computed(() => page.value?.next ?? null),
    staleSince: computed(() => page.value?.staleSince ?? null),
    hint: computed(() => page.value?.hint ?? ''),
    loaded: computed(() => page.value !== null),
  };
}

export type ErrorList = ReturnType<typeof useErrorList>;
