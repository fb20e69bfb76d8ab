import { ref, type Ref } from 'vue';
import { ApiFailure } from '../api/api-failure.ts';

export interface Action<A extends unknown[]> {
  readonly busy: Ref<boolean>;
  /** Why it did not work; empty while nothing is wrong. */
  readonly problem: Ref<string>;
  /** Answers whether it worked. Does nothing while it is under way. */
  readonly run: (...given: A) => Promise<boolean>;
}

/** Something that a button does: one at a time, and what is wrong can be read. */
export function useAction<A extends unknown[]>(act: (...given: A) => Promise<unknown>): Action<A> {
  const busy = ref(false);
  const problem = ref('');
  return {
    busy,
    problem,
    run: async (...given) => {
      if (busy.value) return false;
      busy.value = true;
      problem.value = '';
      try {
        await act(...given);
        return true;
      } catch (error) {
        if (!(error instanceof ApiFailure)) throw error;
        problem.value = error.message;
        return false;
      } finally {
        busy.value = false;
      }
    },
  };
}
