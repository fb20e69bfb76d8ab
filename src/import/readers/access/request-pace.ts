import type { Clock } from '../../../domain/ports/clock.ts';
import type { Sleep } from '../../../lib/back-off.ts';

/** Accepted events per second for which requests keep a millisecond of distance: 100 ms at 7,000 events/s. */
const RATE_PER_MS = 70;
/** Least milliseconds over which the rate is measured. */
const SAMPLE_MS = 500;
/** Requests that may wait at one time: as many as are on their way. A clock that is set back delays no longer. */
const MAX_WAITING = 5;

export interface RequestPaceDeps {
  /** Returns the number of events accepted so far. */
  readonly accepted: () => Promise<number>;
  readonly clock: Clock;
  readonly sleep: Sleep;
}

/**
 * Keeps requests of an import apart from each other while the same process accepts events, so that the import uses a
 * small share of the processor then. Without events they are not delayed.
 */
export class RequestPace {
  readonly #deps: RequestPaceDeps;
  #sample: { readonly at: number; readonly accepted: number } | null = null;
  #distanceMs = 0;
  #next = 0;

  constructor(deps: RequestPaceDeps) {
    this.#deps = deps;
  }

  /** Waits for the turn of the next request; ends early after the signal. */
  async turn(signal: AbortSignal): Promise<void> {
    const { clock, sleep } = this.#deps;
    await this.#measure();
    const now = clock.now();
    const at = Math.min(Math.max(this.#next, now), now + this.#distanceMs * MAX_WAITING);
    this.#next = at + this.#distanceMs;
    if (at > now) await sleep(at - now, signal);
  }

  async #measure(): Promise<void> {
    const { accepted, clock } = this.#deps;
    const last = this.#sample;
    const now = clock.now();
    const elapsed = now - (last?.at ?? now);
    if (last !== null && elapsed >= 0 && elapsed < SAMPLE_MS) return;
    this.#sample = { at: now, accepted: await accepted() };
    if (last === null || elapsed <= 0) return;
    const perSecond = ((this.#sample.accepted - last.accepted) * 1000) / elapsed;
    this.#distanceMs = Math.max(0, perSecond / RATE_PER_MS);
  }
}
