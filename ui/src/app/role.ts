import { shallowReactive, watch, type ComputedRef, computed } from 'vue';
import { ApiFailure } from '../api/api-failure.ts';
import { accessLevelOf } from '../api/members-api.ts';
import { DEVELOPER, MAINTAINER, OWNER } from '../lib/access-levels.ts';
import { person } from './session.ts';

const levels = shallowReactive(new Map<string, number>());
/** Projects whose last request for the role failed. */
const failed = shallowReactive(new Set<string>());

// Keeps the role when the same user signs in again.
watch(
  () => `${person.value?.id} ${person.value?.admin}`,
  () => levels.clear(),
);

/** Forgets the role of the signed-in user in a project, after the user changed it. */
export function forgetRole(project: string): void {
  levels.delete(project);
}

/** Reads the role of the signed-in user in a project, unless it is known. Never throws: see `useRole`. */
export async function askRole(path: string): Promise<void> {
  const user = person.value;
  if (user === null || user.admin || levels.has(path)) return;
  try {
    levels.set(path, await accessLevelOf(path, user.id));
    failed.delete(path);
  } catch (error) {
    // Without a known role no further actions are offered. The page itself reports the failure.
    if (!(error instanceof ApiFailure)) throw error;
    failed.add(path);
  }
}

/**
 * Access level of the signed-in user; null while unknown. It only controls the visible actions: the service enforces
 * permissions.
 */
export function useRole(project: () => string | null): {
  readonly level: ComputedRef<number | null>;
  /** Whether the user may resolve, ignore, reopen, merge and unmerge errors. */
  readonly develops: ComputedRef<boolean>;
  readonly maintains: ComputedRef<boolean>;
  /** Whether the role is known, or its request has failed. */
  readonly settled: ComputedRef<boolean>;
} {
  watch(
    // Asks again after the role was forgotten.
    [project, person, () => levels.has(project() ?? '')] as const,
    ([path]) => (path === null ? undefined : askRole(path)),
    { immediate: true },
  );
  const level = computed(() => {
    const path = project();
    if (path === null || person.value === null) return null;
    return person.value.admin ? OWNER : (levels.get(path) ?? null);
  });
  return {
    level,
    develops: computed(() => (level.value ?? 0) >= DEVELOPER),
    maintains: computed(() => (level.value ?? 0) >= MAINTAINER),
    settled: computed(() => level.value !== null || failed.has(project() ?? '')),
  };
}
