import { readonly, ref } from 'vue';

const rounds = ref(0);

/** Grows whenever code that did not come may be asked for again: watch it to do so. */
export const lazyRounds = readonly(rounds);

/** Code that did not come is asked for again when it is needed next. */
export function tryLazyAgain(): void {
  rounds.value += 1;
}

/** Loads optional code on first use; null when that failed. A failed load is not repeated before `tryLazyAgain`. */
export function lazily<T>(load: () => Promise<T>): () => Promise<T | null> {
  let answer: Promise<T | null> | null = null;
  let failedIn: number | null = null;
  const attempt = (): Promise<T | null> => {
    const round = rounds.value;
    return load().catch(() => {
      // `tryLazyAgain` was called meanwhile: repeats the load for all waiting callers.
      if (rounds.value !== round) return attempt();
      failedIn = round;
      return null;
    });
  };
  return () => {
    if (answer === null || (failedIn !== null && failedIn !== rounds.value)) {
      failedIn = null;
      answer = attempt();
    }
    return answer;
  };
}
