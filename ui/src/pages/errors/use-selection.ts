import { computed, ref, watch, type Ref } from 'vue';
import type { TrackedError } from '../../api/errors-api.ts';

/**
 * Selected rows of a page, or everything that matches the list. A change of `key` clears it, so that it never includes
 * hidden rows. `hasMore`: whether more errors match than are on the page.
 */
export function useSelection(rows: Ref<readonly TrackedError[]>, key: () => unknown, hasMore: () => boolean) {
  const selected = ref<ReadonlySet<string>>(new Set());
  /** Whether everything that matches is selected, beyond the page. */
  const everything = ref(false);
  const picked = computed(() => rows.value.filter(({ id }) => selected.value.has(id)));
  const isWholePage = computed(() => picked.value.length > 0 && picked.value.length === rows.value.length);

  function clear(): void {
    selected.value = new Set();
    everything.value = false;
  }

  function select(ids: readonly string[], on: boolean): void {
    const next = new Set(selected.value);
    for (const id of ids) {
      if (on) next.add(id);
      else next.delete(id);
    }
    selected.value = next;
    everything.value = false;
  }

  function selectPage(): void {
    const all = rows.value.map(({ id }) => id);
    if (isWholePage.value) clear();
    else select(all, true);
  }

  /** Selects the page, then all that match on other pages where there are any, then nothing. */
  function selectMore(): void {
    if (isWholePage.value && !everything.value && hasMore()) everything.value = true;
    else selectPage();
  }

  watch(key, clear, { flush: 'sync' });
  return { selected, everything, picked, clear, select, selectPage, selectMore };
}

export type Selection = ReturnType<typeof useSelection>;
