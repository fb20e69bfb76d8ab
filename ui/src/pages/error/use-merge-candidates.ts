import { onScopeDispose, ref, shallowRef, watch } from 'vue';
import { ApiFailure } from '../../api/api-failure.ts';
import { listErrors, type ErrorDetail, type TrackedError } from '../../api/errors-api.ts';
import { listSimilar, type SimilarError } from '../../api/triage-api.ts';

/** Milliseconds without typing after which the search starts. */
const PAUSE_MS = 250;

type Own = TrackedError & Partial<Pick<ErrorDetail, 'merged'>>;

/** Error that can be merged. */
export type Candidate = Pick<TrackedError, 'id' | 'title' | 'culprit' | 'level' | 'status' | 'count'> &
  Partial<Pick<SimilarError, 'reasons'>>;

/**
 * Lists errors that can be merged with the given ones, in any status: similar ones, then recent ones, or the results of a
 * search.
 */
export function useMergeCandidates(project: () => string, given: () => readonly Own[]) {
  const text = ref('');
  /** Null until the first answer. */
  const found = shallowRef<readonly Candidate[] | null>(null);
  /** Whether the project has more matching errors than listed. */
  const more = shallowRef(false);
  const failure = shallowRef<ApiFailure | null>(null);
  const asking = shallowRef(true);
  let run = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Errors with something in common with the given one; none for several, and where the tracker cannot tell. */
  async function similar(signal: AbortSignal): Promise<readonly SimilarError[]> {
    const [only, ...others] = given();
    if (only === undefined || others.length > 0 || !only.integrated) return [];
    try {
      return await listSimilar(project(), only.id, signal);
    } catch (caught) {
      // The recent errors are offered all the same.
      if (signal.aborted || caught instanceof ApiFailure) return [];
      throw caught;
    }
  }

  async function look(): Promise<void> {
    clearTimeout(timer);
    run.abort();
    const mine = (run = new AbortController());
    asking.value = true;
    const search = text.value.trim();
    const query = { status: 'all', sort: 'last_seen', ...(search === '' ? {} : { search }) } as const;
    try {
      const [alike, { errors, next }] = await Promise.all([
        search === '' ? similar(mine.signal) : [],
        listErrors(project(), query, mine.signal),
      ]);
      if (mine.signal.aborted) return;
      const own = new Set(given().flatMap(({ id, merged }) => [id, ...(merged ?? []).map((member) => member.id)]));
      const known = new Set(alike.map(({ id }) => id));
      const candidates: Candidate[] = [...alike, ...errors.filter(({ id }) => !known.has(id))];
      found.value = candidates.filter(({ id }) => !own.has(id));
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
