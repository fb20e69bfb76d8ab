import { computed, shallowReactive, watch, type ComputedRef } from 'vue';
import { ApiFailure } from '../api/api-failure.ts';
import { getCapabilities } from '../api/errors-api.ts';
import { useConnection } from './connection.ts';
import { person } from './session.ts';

/** True, by project path, when the backend supports releases; failed requests count as true. */
const releases = shallowReactive(new Map<string, boolean>());

/** Reads again whether the backend supports releases. The project may have another backend now. */
export async function askOffers(project: string): Promise<void> {
  try {
    releases.set(project, (await getCapabilities(project)).releases);
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    // Only external trackers fail with this kind. Other failures are reported by the page itself.
    if (!releases.has(project)) releases.set(project, error.kind !== 'tracker');
  }
}

/** Features of the project's backend that decide about menu entries; null while unknown. */
export function useOffers(project: () => string | null): { readonly releases: ComputedRef<boolean | null> } {
  watch(
    [project, person, useConnection().returns],
    ([path, user]) => {
      if (path !== null && user !== null) void askOffers(path);
    },
    { immediate: true },
  );
  return { releases: computed(() => releases.get(project() ?? '') ?? null) };
}
