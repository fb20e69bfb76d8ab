import { shallowRef, watch, type ShallowRef } from 'vue';
import { ApiFailure } from '../api/api-failure.ts';
import { useConnection } from '../app/connection.ts';

export interface Loaded<T> {
  /** Null until the first answer. */
  readonly value: ShallowRef<T | null>;
  readonly failure: ShallowRef<ApiFailure | null>;
  /** Loads again; the old value stays until the answer arrives. */
  readonly load: () => Promise<void>;
}

/**
 * Loads data for a page at once, after a change of `key`, and after reconnection. A change of `key` clears the old
 * value.
 */
export function useLoaded<T>(ask: (signal: AbortSignal) => Promise<T>, key: () => unknown = () => null): Loaded<T> {
  const value = shallowRef<T | null>(null);
  const failure = shallowRef<ApiFailure | null>(null);
  let latest = new AbortController();

  async function load(): Promise<void> {
    latest.abort();
    const current = (latest = new AbortController());
    try {
      const answer = await ask(current.signal);
      if (current.signal.aborted) return;
      value.value = answer;
      failure.value = null;
    } catch (error) {
      if (current.signal.aborted) return;
      if (!(error instanceof ApiFailure)) throw error;
      failure.value = error;
    }
  }

  watch(
    key,
    () => {
      value.value = null;
      failure.value = null;
      void load();
    },
    { immediate: true },
  );
  watch(useConnection().returns, load);
  return { value, failure, load };
}
