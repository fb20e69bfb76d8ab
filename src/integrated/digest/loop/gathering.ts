import { performance } from 'node:perf_hooks';
import type { Sleep } from './back-off.ts';

/**
 * Lets records gather before the next batch is cut. A batch costs the same few milliseconds however small it is
 * (its seal, its transaction, one row per error and hour), so a steady trickle in small batches would take as much
 * of the machine as full load, and answers to SDKs would wait for it. What comes after a quiet time is cut at once.
 */
export class Gathering {
  readonly #gatherMs: number;
  readonly #sleep: Sleep;
  #begunAt = -Infinity;
  #waiting: AbortController | null = null;

  /** `gatherMs`: least time between the beginnings of two batches, milliseconds. */
  constructor(gatherMs: number, sleep: Sleep) {
    this.#gatherMs = gatherMs;
    this.#sleep = sleep;
  }

  /** Resolves when the next batch is due, or with `end`. */
  async wait(): Promise<void> {
    const leftMs = this.#begunAt + this.#gatherMs - performance.now();
    if (leftMs > 0) {
      this.#waiting = new AbortController();
      await this.#sleep(leftMs, this.#waiting.signal);
      this.#waiting = null;
    }
  }

  /** A batch is cut now. */
  begin(): void {
    this.#begunAt = performance.now();
  }

  /** Ends the waiting, if there is any: enough has gathered, or somebody waits for it. */
  end(): void {
    this.#waiting?.abort();
  }
}
