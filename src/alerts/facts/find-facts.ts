import { SpikeSearch } from './spike-search.ts';
import { ThresholdWatch, type ThresholdStore } from './threshold-watch.ts';

export type FactSearchStore = ThresholdStore & ConstructorParameters<typeof SpikeSearch>[0];

/**
 * Creates the search for facts that no single event shows: spikes, and thresholds of rules. It takes the time,
 * milliseconds since the epoch, and is made for one run a minute.
 */
export function createFactSearch(store: FactSearchStore): (now: number) => Promise<void> {
  const spikes = new SpikeSearch(store);
  const thresholds = new ThresholdWatch(store);
  return async (now) => {
    await spikes.run(now);
    await thresholds.run(now);
  };
}
