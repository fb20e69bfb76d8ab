import { performance } from 'node:perf_hooks';
import type { Sleep } from '../../../lib/back-off.ts';

/**
 * Delays the next batch while few records wait. Each batch has a fixed cost of a few milliseconds (manifest,
 * transaction, one row per error and hour). Many small batches would use as much CPU as full load and slow down
 * answers to SDKs. The first batch after an idle time is cut at once.
 */
export class BatchDelay {
  readonly #gatherMs: number;
  readonly #sleep: Sleep;
  readonly #may: () => boolean;
  #begunAt = -Infinity;
  #waiting: AbortController | null = null;

  /** `gatherMs`: minimum milliseconds between the starts of two batches, while `may` returns true. */
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

  /** Records the start of a batch. */
  begin(): void {
    this.#begunAt = performance.now();
  }

  /** Ends the current wait when `may` no longer allows it. Call it after every change of state. */
  look(): void {
    if (this.#waiting !== null && !this.#may()) {
      this.#waiting.abort();
    }
  }
}
