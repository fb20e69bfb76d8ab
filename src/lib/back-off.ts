import { setTimeout as wait } from 'node:timers/promises';

/** Resolves after `ms`, or at once when the signal aborts; never rejects. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

export const sleep: Sleep = (ms, signal) => wait(ms, undefined, { signal }).catch(() => undefined);

export interface BackOffOptions {
  readonly firstMs: number;
  readonly maxMs: number;
  /** 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
}

/** Delays that double up to a bound. Half of each is random, so that many gateways do not retry together. */
export class BackOff {
  readonly #options: BackOffOptions;
  #attempts = 0;

  constructor(options: BackOffOptions) {
    this.#options = options;
  }

  next(): number {
    const { firstMs, maxMs, random } = this.#options;
    const full = Math.min(firstMs * 2 ** Math.min(this.#attempts, 30), maxMs);
    this.#attempts += 1;
    return full / 2 + (full / 2) * random();
  }

  get attempts(): number {
    return this.#attempts;
  }

  reset(): void {
    this.#attempts = 0;
  }
}
