import { shallowRef, watch } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { readStored, writeStored } from '../../lib/stored.ts';
import { corrected, parseListQuery, parsePageSize, toLocationQuery, type ListQuery } from './list-query.ts';

/** Storage key of the preferred page size. */
const PAGE_SIZE_KEY = 'errgate.errors-per-page';

/** Query of the list with functions to change it. The address determines it, also after back navigation. */
export function useListQuery() {
  const route = useRoute();
  const router = useRouter();
  let preferred = parsePageSize(readStored(PAGE_SIZE_KEY));
  const read = (given: Readonly<Record<string, unknown>>): ListQuery => parseListQuery(given, preferred);
  const query = shallowRef(read(route.query));

  function show(next: ListQuery): void {
    if (JSON.stringify(next) !== JSON.stringify(query.value)) query.value = next;
  }

  /** Replaces an address with invalid values by that of the shown query. */
  async function correct(): Promise<void> {
    const right = corrected(route.query, query.value, preferred);
    if (right !== null) await router.replace({ query: right, hash: route.hash });
  }

  watch(
    () => route.query,
    (given) => {
      if (route.name !== 'errors') return;
      show(read(given));
      void correct();
    },
    { immediate: true },
  );

  async function go(part: Partial<ListQuery>, isStep: boolean): Promise<void> {
    const to = { query: toLocationQuery({ ...query.value, cursor: '', ...part }, preferred) };
    // Applied before the navigation ends, because another change may follow at once.
    show(read(to.query));
    await (isStep ? router.push(to) : router.replace(to));
  }

  async function change(part: Partial<ListQuery>): Promise<void> {
    if (part.per_page !== undefined) {
      preferred = part.per_page;
      writeStored(PAGE_SIZE_KEY, preferred);
    }
    const typing = part.search !== undefined && query.value.search !== '';
    // Searches while typing and page sizes add no history entries. Addresses without a size use the preferred one.
    const isStep = !typing && part.per_page === undefined;
    await go(part, isStep);
  }

  /** Changes the query without a history entry, because the previous query was invalid. */
  const amend = (part: Partial<ListQuery>): Promise<void> => go(part, false);

  return { query, change, amend };
}
