import { computed, shallowRef, watch, type ComputedRef } from 'vue';
import type { Instance } from '../../api/admin-api.ts';

/** Milliseconds over which rates are measured. */
const WINDOW_MS = 60_000;
const MINUTE_MS = 60_000;

interface Sample {
  readonly at: number;
  readonly counts: Instance['counts'];
}

/**
 * Counts per minute between the answers of the last minute; null until there are two of the same run. Behind a load
 * balancer answers come from several processes, which are told apart by their start.
 */
export function useRates(instance: () => Instance): ComputedRef<Instance['counts'] | null> {
  const samples = shallowRef<readonly Sample[]>([]);
  let run = '';
  watch(
    instance,
    ({ counts, started_at: started }) => {
      const now = Date.now();
      const before = run === started ? samples.value.filter(({ at }) => now - at <= WINDOW_MS) : [];
      run = started;
      samples.value = [...before, { at: now, counts }];
    },
    { immediate: true },
  );
  return computed(() => {
    const [first, last] = [samples.value[0], samples.value.at(-1)];
    if (first === undefined || last === undefined || last.at === first.at) return null;
    const per = (name: keyof Instance['counts']) =>
      ((last.counts[name] - first.counts[name]) * MINUTE_MS) / (last.at - first.at);
    return { accepted: per('accepted'), stored: per('stored'), refused: per('refused') };
  });
}
