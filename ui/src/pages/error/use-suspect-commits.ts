import { shallowRef, watch, type Ref, type ShallowRef } from 'vue';
import { ApiFailure } from '../../api/api-failure.ts';
import type { ErrorDetail, TrackedEvent } from '../../api/errors-api.ts';
import { getSuspectCommits, type SuspectCommits } from '../../api/suspect-commits-api.ts';

const NONE: SuspectCommits = { event_id: '', release: null, built_from: null, files_left_out: 0, commits: [] };

/**
 * Loads which commits of its release changed the files that the shown event happened in. Null until they are loaded.
 * Those of a former event of the error stay until the answer for the next one is there.
 */
export function useSuspectCommits(
  project: Readonly<Ref<string>>,
  error: Readonly<Ref<ErrorDetail | null>>,
  event: Readonly<Ref<TrackedEvent | null>>,
): ShallowRef<SuspectCommits | null> {
  const suspects = shallowRef<SuspectCommits | null>(null);
  watch(
    () => [project.value, error.value?.id, event.value?.event_id] as const,
    async ([path, errorId, eventId], before, onCleanup) => {
      if (before?.[0] !== path || before[1] !== errorId) suspects.value = null;
      if (errorId === undefined || eventId === undefined || event.value?.error_id !== errorId) return;
      if (error.value?.integrated !== true || event.value.release === null) {
        suspects.value = NONE;
        return;
      }
      const run = new AbortController();
      onCleanup(() => run.abort());
      try {
        suspects.value = await getSuspectCommits(path, errorId, eventId, run.signal);
      } catch (caught) {
        if (run.signal.aborted) return;
        // The details are whole without a hint.
        suspects.value = NONE;
        if (!(caught instanceof ApiFailure)) throw caught;
      }
    },
    { immediate: true },
  );
  return suspects;
}
