import { onScopeDispose, ref, shallowRef, watch } from 'vue';
import { ApiFailure } from '../../api/api-failure.ts';
import { listErrors, type ErrorDetail, type TrackedError } from '../../api/errors-api.ts';

/** Milliseconds without typing after which the search starts. */
const PAUSE_MS = 250;

type Own = TrackedError & Partial<Pick<ErrorDetail, 'merged'>>;

/** Lists errors that can be merged with the given ones: recent ones or search results, in any status. */
export function useMergeCandidates(project: () => string, given: () => readonly Own[]) {
  const text = ref('');
  /** Null until the first answer. */
  const found = shallowRef<readonly TrackedError[] | null>(null);
  /** Whether the project has more matching errors than listed. */
  const more = shallowRef(false);
  const failure = shallowRef<ApiFailure | null>(null);
  const asking = shallowRef(true);
  let run = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function look(): Promise<void> {
    clearTimeout(timer);
    run.abort();
    const mine = (run = new AbortController());
    asking.value = true;
    const search = text.value.trim();
    const query = { status: 'all', sort: 'last_seen', ...(search === '' ? {} : { search }) } as const;
    try {
      const { errors, next } = await listErrors(project(), query, mine.signal);
      if (mine.signal.aborted) return;
      const own = new Set(given().flatMap(({ id, merged }) => [id, ...(merged ?? []).map((member) => member.id)]));
      found.value = errors.filter((candidate) => !own.has(candidate.id));
      more.value = next !== null;
      failure.value = null;
    } catch (caught) {
      if (mine.signal.aborted) return;
      if (!(caught instanceof ApiFailure)) throw caught;
      failure.value = caught;
    } finally {
      if (run === mine) asking.value = false;
    }
  }

  watch(text, () => {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), PAUSE_MS);
  });
  onScopeDispose(() => {
    clearTimeout(timer);
    run.abort();
  });
  void look();

  return { text, found, more, failure, asking, look };
}
