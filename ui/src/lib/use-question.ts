import { shallowRef, type ShallowRef } from 'vue';
import { useAction } from './use-action.ts';

/**
 * Asks a question about one thing, such as a row, before an action on it. `act` closes the question once the action has
 * succeeded; a failure keeps it open with its message.
 */
export function useQuestion<T>(act: (about: T, close: () => void) => Promise<unknown>) {
  /** What is asked about; null: nothing. */
  const about: ShallowRef<T | null> = shallowRef<T | null>(null);
  const { busy, problem, run } = useAction(async () => {
    if (about.value !== null) await act(about.value, close);
  });

  function ask(next: T): void {
    problem.value = '';
    about.value = next;
  }

  function close(): void {
    about.value = null;
  }

  return { about, busy, problem, ask, close, confirm: () => run() };
}
