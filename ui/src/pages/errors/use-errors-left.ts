import { computed, shallowRef, watch, type Ref } from 'vue';
import { ApiFailure } from '../../api/api-failure.ts';
import { listErrors } from '../../api/errors-api.ts';
import { toParameters, type ListQuery } from './list-query.ts';
import type { ErrorList } from './use-error-list.ts';

/** Number of errors that one count reads: the maximum page size of the service. */
const COUNTED = 100;

interface Counted {
  readonly ids: readonly string[];
  /** Whether more errors follow the counted ones. */
  readonly more: boolean;
}

/**
 * Number of unresolved errors left in a query, such as `31` or `100+`; null while unknown. A list of one page is its own
 * count. Longer lists are counted by one request at the first change; each further change is subtracted here.
 */
export function useErrorsLeft(project: Ref<string>, query: Ref<ListQuery>, list: ErrorList) {
  const counted = shallowRef<Counted | null>(null);
  let counting = false;

  const onePage = computed(() => list.next.value === null && list.previous.value === null);
  const remaining = computed(() => {
    const shown = list.rows.value.map(({ id }) => id);
    if (onePage.value) return shown;
    return [...new Set([...shown, ...(counted.value?.ids.filter((id) => !list.hidden.has(id)) ?? [])])];
  });
  const left = computed(() => {
    if (query.value.status !== 'unresolved' || (!onePage.value && counted.value === null)) return null;
    return `${remaining.value.length}${!onePage.value && counted.value?.more === true ? '+' : ''}`;
  });

  /** Counts the errors of all pages, up to `COUNTED`. A failed count is repeated at the next change. */
  async function read(): Promise<void> {
    const [inProject, asked] = [project.value, query.value];
    const number = list.hidden.ask();
    counting = true;
    try {
      const all = await listErrors(inProject, { ...toParameters({ ...asked, cursor: '' }), per_page: COUNTED });
      if (project.value !== inProject || query.value !== asked || list.hidden.outdated(number)) return;
      counted.value = { ids: list.hidden.shown(all.errors, number).map(({ id }) => id), more: all.next !== null };
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
    } finally {
      counting = false;
    }
  }

  /** Call it after a change: counts unless the number is known, and again when half of a partial count has left. */
  function changed(): void {
    if (query.value.status !== 'unresolved' || onePage.value || counting) return;
    const { value } = counted;
    if (value === null || (value.more && remaining.value.length < value.ids.length / 2)) void read();
  }

  /** Forgets the number after errors have left in another way, such as by merging. */
  function forget(): void {
    counted.value = null;
  }

  watch([project, query], forget, { flush: 'sync' });
  return { left, changed, forget };
}
