import { computed, shallowReactive, watch, type ComputedRef } from 'vue';
import { ApiFailure } from '../api/api-failure.ts';
import { getCapabilities } from '../api/errors-api.ts';
import { useConnection } from './connection.ts';
import { person } from './session.ts';

/** True, by project path, when the backend supports releases; failed requests count as true. */
const releases = shallowReactive(new Map<string, boolean>());

/** Asks again: the backend of the project may be another one now. */
export async function askOffers(project: string): Promise<void> {
  try {
    releases.set(project, (await getCapabilities(project)).releases);
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    // Only external trackers fail like that. Of everything else the page itself says what is wrong.
    if (!releases.has(project)) releases.set(project, error.kind !== 'tracker');
  }
}

/** What of the pages of a project its backend has something to show for; null while that is not known. */
export function useOffers(project: () => string | null): { readonly releases: ComputedRef<boolean | null> } {
  watch(
    [project, person, useConnection().returns],
    ([path, who]) => {
      if (path !== null && who !== null) void askOffers(path);
    },
    { immediate: true },
  );
  return { releases: computed(() => releases.get(project() ?? '') ?? null) };
}
