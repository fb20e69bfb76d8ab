import { nextTick, ref, type Ref } from 'vue';
import { ApiFailure } from '../api/api-failure.ts';

export interface Action<A extends unknown[]> {
  readonly busy: Ref<boolean>;
  /** Message of the last failure; empty without one. */
  readonly problem: Ref<string>;
  /** Runs the action; true on success. Does nothing while the action is running. */
  readonly run: (...given: A) => Promise<boolean>;
}

/** Focuses the element again if nothing has the focus. What precedes a removed element gets it by `recoverFocus`. */
function giveBack(element: Element | null): void {
  if (document.activeElement !== document.body || !(element instanceof HTMLElement) || !element.isConnected) return;
  element.focus({ preventScroll: true });
}

/**
 * Wraps the action of a button: runs one at a time, keeps the message of its failure, and gives the focus back that a
 * disabled button loses.
 */
export function useAction<A extends unknown[]>(act: (...given: A) => Promise<unknown>): Action<A> {
  const busy = ref(false);
  const problem = ref('');
  return {
    busy,
    problem,
    run: async (...given) => {
      if (busy.value) return false;
      const { activeElement: pressed } = document;
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
        void nextTick(() => giveBack(pressed));
      }
    },
  };
}
