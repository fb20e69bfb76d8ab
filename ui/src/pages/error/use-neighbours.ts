import { onScopeDispose, shallowRef, watch, type Ref } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { ApiFailure } from '../../api/api-failure.ts';
import { listErrors } from '../../api/errors-api.ts';
import { asLeft } from '../../app/left-list.ts';
import { listOf } from './list-filters.ts';
import { parseListQuery, toParameters } from '../errors/list-query.ts';

/** Ids of the list from which errors are opened, in its order, as far as it is read. */
interface Sequence {
  /** Address of the list. */
  readonly address: string;
  readonly ids: readonly string[];
  /** Cursors of the adjacent pages; null: there is none. */
  readonly previous: string | null;
  readonly next: string | null;
}

/** Sequence of this tab, so that an error keeps its place after it has left the list. */
let kept: Sequence | null = null;

/**
 * Steps to the previous and the next error of the list that the user came from; without one, of the unresolved
 * errors that the filters of the address leave.
 */
export function useNeighbours(project: Ref<string>, errorId: Ref<string>, show: (id: string) => void) {
  const router = useRouter();
  const route = useRoute();
  const sequence = shallowRef<Sequence | null>(null);
  let busy = false;
  let run = new AbortController();
  /** Ends once the list of the shown error is known, or could not be read. */
  let finding: Promise<void>;

  const list = () => router.resolve(listOf(project.value, route.query));

  async function read(address: string, cursor: string | null, signal: AbortSignal): Promise<Omit<Sequence, 'address'>> {
    const query = parseListQuery(router.resolve(address).query);
    const given = toParameters(cursor === null ? query : { ...query, cursor });
    const { errors, previous, next } = await listErrors(project.value, given, signal);
    return { ids: errors.map(({ id }) => id), previous, next };
  }

  function keep(next: Sequence): void {
    kept = next;
    sequence.value = next;
  }

  async function find(): Promise<void> {
    run.abort();
    const mine = (run = new AbortController());
    const address = asLeft(list());
    if (kept?.address === address && kept.ids.includes(errorId.value)) {
      sequence.value = kept;
      return;
    }
    sequence.value = null;
    try {
      const page = await read(address, null, mine.signal);
      if (!mine.signal.aborted) keep({ address, ...page });
    } catch (caught) {
      // The page works without neighbours, and reports its own failures.
      if (!mine.signal.aborted && !(caught instanceof ApiFailure)) throw caught;
    }
  }

  /** Id beside the error; null at an end that is read, undefined where the list goes on. */
  function beside(step: 1 | -1): string | null | undefined {
    const { value: known } = sequence;
    if (known === null) return null;
    const at = known.ids.indexOf(errorId.value);
    // An error that is not in the list leads to the first one of it.
    if (at === -1) return step === 1 ? (known.ids[0] ?? null) : null;
    const id = known.ids[at + step];
    if (id !== undefined) return id;
    return (step === 1 ? known.next : known.previous) === null ? null : undefined;
  }

  /** Id beside the error, which is read where the list goes on; null at its end, undefined where it is not known. */
  async function reach(step: 1 | -1): Promise<string | null | undefined> {
    await finding;
    const { value: known } = sequence;
    if (known === null) return undefined;
    const id = beside(step);
    if (id !== undefined) return id;
    const { signal } = run;
    try {
      const page = await read(known.address, step === 1 ? known.next : known.previous, signal);
      if (signal.aborted) return undefined;
      const added = page.ids.filter((each) => !known.ids.includes(each));
      keep(
        step === 1
          ? { ...known, ids: [...known.ids, ...added], next: page.next }
          : { ...known, ids: [...added, ...known.ids], previous: page.previous },
      );
      return beside(step);
    } catch (caught) {
      if (!signal.aborted && !(caught instanceof ApiFailure)) throw caught;
      return undefined;
    }
  }

  /** Shows the error beside this one, once the list is known. Returns whether the list ends here. */
  async function go(step: 1 | -1): Promise<boolean> {
    if (busy) return false;
    const from = errorId.value;
    busy = true;
    try {
      const id = await reach(step);
      // Another error may have been opened meanwhile.
      if (errorId.value !== from) return false;
      if (typeof id === 'string') show(id);
      return id === null;
    } finally {
      busy = false;
    }
  }

  watch([project, errorId], () => (finding = find()), { immediate: true });
  onScopeDispose(() => run.abort());

  return { beside, go };
}
