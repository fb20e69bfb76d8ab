import { onScopeDispose, shallowRef, watch, type Ref } from 'vue';
import { ApiFailure } from '../../api/api-failure.ts';
import { countErrors, filtersOf } from '../../api/error-list-api.ts';
import type { ErrorStatus, TrackedError } from '../../api/errors-api.ts';
import { MAX_COUNTED } from '../../lib/numbers.ts';
import { usePolling } from '../../lib/use-polling.ts';
import { toParameters, type ListQuery } from './list-query.ts';
import { saysStatus, type TabCounts } from './list-tabs.ts';

/** Milliseconds between two counts; changes of this page are counted at once. */
const POLL_MS = 20_000;

/** Part of a query that the counts of the tabs leave out. */
const NO_TAB = { status: '', for_review: '' };

type Counted = Pick<TrackedError, 'status' | 'marks'>;

/** Adds to a count. One at the maximum may be any greater number, so it stays. */
function added(count: number, by: number): number {
  return count >= MAX_COUNTED ? count : Math.max(0, Math.min(MAX_COUNTED, count + by));
}

/**
 * Errors of each tab that match the filters; null while unknown, and while `asks` is false. Status changes of this page
 * are counted at once; answers that may lack them are dropped.
 */
export function useTabCounts(project: Ref<string>, query: Ref<ListQuery>, asks: () => boolean) {
  const counts = shallowRef<TabCounts | null>(null);
  let changing = 0;
  let running = new AbortController();

  async function read(mine: AbortController): Promise<number> {
    const filters = filtersOf(toParameters({ ...query.value, cursor: '' }));
    const found = await countErrors(project.value, filters, mine.signal);
    if (!mine.signal.aborted && changing === 0) counts.value = found;
    return found.matching;
  }

  async function load(): Promise<boolean> {
    if (!asks()) return true;
    running.abort();
    const mine = (running = new AbortController());
    try {
      await read(mine);
      return true;
    } catch (error) {
      if (mine.signal.aborted) return true;
      if (!(error instanceof ApiFailure)) throw error;
      // The list reports the failure. Counts of another search would be wrong.
      if (error.kind === 'refused') counts.value = null;
      return error.kind === 'refused';
    }
  }

  function shift(rows: readonly Counted[], from: ErrorStatus | null, to: ErrorStatus | null): void {
    if (counts.value === null) return;
    const next = { ...counts.value };
    for (const { status, marks } of rows) {
      next[from ?? status] = added(next[from ?? status], -1);
      next[to ?? status] = added(next[to ?? status], 1);
      if (marks?.for_review === true) next.for_review = added(next.for_review, to === null ? 1 : -1);
    }
    counts.value = next;
  }

  /** Runs a change and counts again afterwards. */
  async function during<T>(change: Promise<T>): Promise<T> {
    changing += 1;
    running.abort();
    try {
      return await change;
    } finally {
      changing -= 1;
      if (changing === 0) void load();
    }
  }

  watch(
    () =>
      JSON.stringify([
        project.value,
        asks(),
        { ...query.value, sort: '', cursor: '', page: '', ...(saysStatus(query.value) ? {} : NO_TAB) },
      ]),
    () => void load(),
    { immediate: true },
  );
  watch(project, () => (counts.value = null), { flush: 'sync' });
  usePolling(() => (changing > 0 ? Promise.resolve(true) : load()), POLL_MS);
  onScopeDispose(() => running.abort());

  return {
    counts,
    load,
    /** Counts now, and returns the number of errors that fit all filters. Throws an `ApiFailure`. */
    count: () => read(new AbortController()),
    during,
    /** Counts rows under a status that they get. */
    moved: (rows: readonly Counted[], to: ErrorStatus) => shift(rows, null, to),
    /** Counts rows under their own status again. */
    movedBack: (rows: readonly Counted[], from: ErrorStatus) => shift(rows, from, null),
  };
}

export type TabCounting = ReturnType<typeof useTabCounts>;
