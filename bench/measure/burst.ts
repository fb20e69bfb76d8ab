import { startService, storeTarget } from './service.ts';
import { embeddedStore } from './stores.ts';
import { runWrk, WRK_CONNECTIONS } from './wrk.ts';

export interface BurstFigures {
  readonly accepted: number;
  readonly refused: number;
  readonly acceptedPerSecond: number;
  /** Rates during the burst and after it. */
  readonly digestedMeanwhilePerSecond: number;
  readonly digestedAfterwardsPerSecond: number | null;
}

/**
 * Sends at the maximum rate of wrk until at least `events` are accepted; measures refusals and the catching up of the
 * digest.
 */
export async function measureBurst(events: number): Promise<BurstFigures> {
  const service = await startService(embeddedStore());
  try {
    const { port } = service;
    const { path, key } = storeTarget(service);
    let accepted = 0;
    let refused = 0;
    let seconds = 0;
    let slices = 0;
    const started = performance.now();
    // Runs in slices, because wrk takes a duration and not a number of requests.
    for (; accepted < events; slices += 1) {
      const load = await runWrk(port, path, key, SLICE_SECONDS, Date.now() + slices);
      accepted += load.requests - load.non2xx;
      refused += load.non2xx;
      seconds += load.seconds;
    }
    const ended = performance.now();
    const meanwhile = await service.stored();
    await service.awaitStored(accepted);
    const left = accepted - meanwhile;
    const drained = performance.now();
    await service.awaitCounted(accepted, refused + slices * WRK_CONNECTIONS);
    return {
      accepted,
      refused,
      acceptedPerSecond: accepted / seconds,
      digestedMeanwhilePerSecond: (meanwhile * 1000) / (ended - started),
      digestedAfterwardsPerSecond: left > MIN_LEFT ? (left * 1000) / (drained - ended) : null,
    };
  } finally {
    await service.remove();
  }
}

const SLICE_SECONDS = 5;
/** Minimum of events left after the burst; with fewer the rate is not measurable. */
const MIN_LEFT = 4000;
