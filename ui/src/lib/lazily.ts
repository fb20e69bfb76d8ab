import { readonly, ref } from 'vue';

const rounds = ref(0);

/** Counter of retries. Watch it to load failed code again. */
export const lazyRounds = readonly(rounds);

/** Allows failed loads to be repeated on their next use. */
export function tryLazyAgain(): void {
  rounds.value += 1;
}

/** Loads optional code on first use; null on failure. A failed load is repeated only after `tryLazyAgain`. */
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
