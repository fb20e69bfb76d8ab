import { shallowRef, watch } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { readStored, writeStored } from '../../lib/stored.ts';
import { corrected, parseListQuery, parsePageSize, toLocationQuery, type ListQuery } from './list-query.ts';

/** Storage key of the preferred page size. */
const PAGE_SIZE_KEY = 'errgate.errors-per-page';

/**
 * Query of the list with functions to change it. The address determines it, also after back navigation. An address
 * without a query opens with `usual`, the query string of the project's default view.
 */
export function useListQuery(usual: () => string) {
  const route = useRoute();
  const router = useRouter();
  let preferred = parsePageSize(readStored(PAGE_SIZE_KEY));
  const read = (given: Readonly<Record<string, unknown>>): ListQuery => parseListQuery(given, preferred);
  /** Whether the list was opened without a query, and the user has not changed it since. */
  let untouched = false;
  let path = route.path;

  /** Query of the address with which a list is opened. */
  function opened(): ListQuery {
    path = route.path;
    untouched = Object.keys(route.query).length === 0;
    return read(untouched ? parametersOf(usual()) : route.query);
  }

  const query = shallowRef(opened());

  function show(next: ListQuery): void {
    if (JSON.stringify(next) !== JSON.stringify(query.value)) query.value = next;
  }

  /** Replaces an address that is not complete or has invalid values by that of the shown query. */
  async function correct(): Promise<void> {
    const right = corrected(route.query, query.value, preferred);
    if (right !== null) await router.replace({ query: right, hash: route.hash });
  }

  void correct();
  watch(
    () => route.query,
    (given) => {
      if (route.name !== 'errors') return;
      show(route.path === path ? read(given) : opened());
      void correct();
    },
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
    untouched = false;
    const typing = part.search !== undefined && query.value.search !== '';
    // Searches while typing and page sizes add no history entries. Addresses without a size use the preferred one.
    const isStep = !typing && part.per_page === undefined;
    await go(part, isStep);
  }

  /** Changes the query without a history entry, because the previous query was invalid. */
  const amend = (part: Partial<ListQuery>): Promise<void> => go(part, false);

  /** Shows a saved view instead of the whole present query. */
  async function open(view: string): Promise<void> {
    untouched = false;
    const to = { query: toLocationQuery(read(parametersOf(view)), preferred) };
    show(read(to.query));
    await router.push(to);
  }

  /** Opens the default view when its query comes later, or is another one, than the list began with. */
  async function openUsual(view: string): Promise<void> {
    const wanted = read(parametersOf(view));
    if (untouched && route.name === 'errors' && JSON.stringify(wanted) !== JSON.stringify(query.value)) {
      await go({ ...wanted }, false);
    }
    untouched = false;
  }

  return { query, change, amend, open, openUsual };
}

function parametersOf(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

/** Query string of a list, without its page and without what is usual; a saved view keeps it. */
export function viewOf(query: ListQuery): string {
  const { cursor: _, page: __, ...kept } = toLocationQuery(query);
  return new URLSearchParams(kept).toString();
}
