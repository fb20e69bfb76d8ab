import type { PruneLimits } from '../../src/domain/ports/stores/maintenance-store.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';

/** Removes nothing. */
export const KEEP: PruneLimits = {
  receivedBefore: null,
  maxEventsPerError: null,
  keysReceivedBefore: 0,
  hoursBefore: 0,
  outcomesBefore: 0,
};

/** Prunes until nothing is left to remove; returns the sums. */
export async function pruneAll(store: Store, limits: PruneLimits): Promise<{ events: number; keys: number }> {
  const sum = { events: 0, keys: 0 };
  for (let calls = 0; calls < 100; calls += 1) {
    const { events, keys, done } = await store.prune(limits);
    sum.events += events;
    sum.keys += keys;
    if (done) {
      return sum;
    }
  }
  throw new Error('pruning does not end');
}
