import { shallowRef, watch, type Ref } from 'vue';
import { ApiFailure } from '../../api/api-failure.ts';
import { getCapabilities, type Capabilities } from '../../api/errors-api.ts';

/** Capabilities of the project's backend; null while unknown. */
export function useCapabilities(project: Ref<string>): Readonly<Ref<Capabilities | null>> {
  const capabilities = shallowRef<Capabilities | null>(null);
  watch(
    project,
    async (asked) => {
      capabilities.value = null;
      try {
        const fresh = await getCapabilities(asked);
        if (project.value === asked) capabilities.value = fresh;
      } catch (error) {
        // The page itself reports the failure.
        if (!(error instanceof ApiFailure)) throw error;
      }
    },
    { immediate: true },
  );
  return capabilities;
}
