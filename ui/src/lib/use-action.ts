import { nextTick, ref, type Ref } from 'vue';
import { ApiFailure } from '../api/api-failure.ts';
import { showToast } from '../app/toasts.ts';

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
 * Notes which dialog is open. The returned function gives its title once it was closed, and null before, or without a
 * dialog.
 */
function watchDialog(): () => string | null {
  // The content is made with each opening, unlike the dialog.
  const content = document.querySelector('dialog[open] > *');
  const title = content?.querySelector('h2')?.textContent ?? null;
  return () => (content?.isConnected === false ? title : null);
}

/**
 * Wraps the action of a button: runs one at a time, keeps the message of its failure, and gives the focus back that a
 * disabled button loses. A failure that comes after its dialog was closed is shown as a toast.
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
      const closedDialog = watchDialog();
      busy.value = true;
      problem.value = '';
      try {
        await act(...given);
        return true;
      } catch (error) {
        if (!(error instanceof ApiFailure)) throw error;
        const left = closedDialog();
        if (left === null) problem.value = error.message;
        else showToast(`“${left}” failed: ${error.message}`, { tone: 'danger' });
        return false;
      } finally {
        busy.value = false;
        void nextTick(() => giveBack(pressed));
      }
    },
  };
}
