import { shallowRef, watch } from 'vue';
import { ApiFailure } from '../../api/api-failure.ts';
import { listMembers, type Member } from '../../api/members-api.ts';

/** Members of a project, for pickers and mentions; null until they are loaded, and without `wanted`. */
export function useMembers(project: () => string, wanted: () => boolean) {
  const members = shallowRef<readonly Member[] | null>(null);
  watch(
    () => [project(), wanted()] as const,
    async ([path, isWanted], before) => {
      if (path !== before?.[0]) members.value = null;
      if (!isWanted) return;
      try {
        const all = await listMembers(path);
        if (project() === path) members.value = all;
      } catch (error) {
        // The page works without names; its own requests report the failure.
        if (!(error instanceof ApiFailure)) throw error;
      }
    },
    { immediate: true },
  );
  return members;
}
