import { onScopeDispose, shallowRef, watch, type Ref } from 'vue';
import { ApiFailure } from '../../api/api-failure.ts';
import { newestRelease } from '../../api/releases-api.ts';

/** Newest release of a project, asked for when it is first `wanted`; null while unknown, or without one. */
export function useNewestRelease(project: () => string, wanted: () => boolean): Readonly<Ref<string | null>> {
  const newest = shallowRef<string | null>(null);
  let running = new AbortController();
  watch(
    () => (wanted() ? project() : null),
    async (asked, before) => {
      running.abort();
      if (asked !== before) newest.value = null;
      if (asked === null) return;
      const mine = (running = new AbortController());
      try {
        const found = await newestRelease(asked, mine.signal);
        if (!mine.signal.aborted) newest.value = found;
      } catch (error) {
        // The actions work without its name.
        if (!mine.signal.aborted && !(error instanceof ApiFailure)) throw error;
      }
    },
    { immediate: true },
  );
  onScopeDispose(() => running.abort());
  return newest;
}
