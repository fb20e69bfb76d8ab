import { performance } from 'node:perf_hooks';
import type { Sleep } from '../../../lib/back-off.ts';

/**
 * Lets records gather before the next batch is cut. A batch costs the same few milliseconds however small it is
 * (its manifest, its transaction, one row per error and hour), so a steady trickle in small batches would take as much
 * of the machine as full load, and answers to SDKs would wait for it. What comes after a quiet time is cut at once.
 */
export class Gathering {
  readonly #gatherMs: number;
  readonly #sleep: Sleep;
  readonly #may: () => boolean;
  #begunAt = -Infinity;
  #waiting: AbortController | null = null;

  /** `gatherMs`: least time between the beginnings of two batches, milliseconds, while there `may` be a wait. */
  constructor(gatherMs: number, sleep: Sleep, may: () => boolean) {
    this.#gatherMs = gatherMs;
    this.#sleep = sleep;
    this.#may = may;
  }

  /** Resolves when the next batch is due. */
  async wait(): Promise<void> {
    const leftMs = this.#begunAt + this.#gatherMs - performance.now();
    if (leftMs > 0 && this.#may()) {
      this.#waiting = new AbortController();
      await this.#sleep(leftMs, this.#waiting.signal);
      this.#waiting = null;
    }
  }

  /** A batch is cut now. */
  begin(): void {
    this.#begunAt = performance.now();
  }

  /** To be called when something has changed: ends a wait that may not be any more. */
  look(): void {
    if (this.#waiting !== null && !this.#may()) {
      this.#waiting.abort();
    }
  }
}
