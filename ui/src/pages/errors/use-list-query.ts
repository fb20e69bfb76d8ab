import { shallowRef, watch } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { readStored, writeStored } from '../../lib/stored.ts';
import { corrected, parseListQuery, parsePageSize, toLocationQuery, type ListQuery } from './list-query.ts';

/** Where the preferred page size is kept. */
const PAGE_SIZE_KEY = 'errgate.errors-per-page';

/** What the list shows, and a function that changes it. The address decides, also on the way back. */
export function useListQuery() {
  const route = useRoute();
  const router = useRouter();
  let preferred = parsePageSize(readStored(PAGE_SIZE_KEY));
  const read = (given: Readonly<Record<string, unknown>>): ListQuery => parseListQuery(given, preferred);
  const query = shallowRef(read(route.query));

  function show(next: ListQuery): void {
    if (JSON.stringify(next) !== JSON.stringify(query.value)) query.value = next;
  }

  /** An address that asks for what there is not says what is shown instead. */
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
    // At once, and not only when the address has changed: another change may come before.
    show(read(to.query));
    await (isStep ? router.push(to) : router.replace(to));
  }

  async function change(part: Partial<ListQuery>): Promise<void> {
    if (part.per_page !== undefined) {
      preferred = part.per_page;
      writeStored(PAGE_SIZE_KEY, preferred);
    }
    const typing = part.search !== undefined && query.value.search !== '';
    // Pauses while typing add no history entries. Neither does the page size: addresses without it use the preferred
    // one.
    const isStep = !typing && part.per_page === undefined;
    await go(part, isStep);
  }

  /** The same for what the service takes no more than the page does: nothing that one could go back to. */
  const amend = (part: Partial<ListQuery>): Promise<void> => go(part, false);

  return { query, change, amend };
}
