import { BackOff } from '../../lib/back-off.ts';

/** First and longest pause after a failure, in milliseconds. */
const FIRST_MS = 1000;
const MAX_MS = 300_000;
/** Failures in a row after which a target counts as stalled. */
const STALLED_AFTER = 20;

/** Whether a target takes requests, and when it is asked again. Times in milliseconds since the epoch. */
export class TargetHealth {
  readonly #backOff: BackOff;
  #retryAt = 0;
  /** Successful requests so far. */
  successes = 0;
  succeededAt: number | null = null;
  failedAt: number | null = null;
  failure: string | null = null;

  constructor(random: () => number) {
    this.#backOff = new BackOff({ firstMs: FIRST_MS, maxMs: MAX_MS, random });
  }

  /** True between a failure and the next success: one request at a time tries. */
  get failing(): boolean {
    return this.#backOff.attempts > 0;
  }

  get stalled(): boolean {
    return this.#backOff.attempts >= STALLED_AFTER;
  }

  /** Milliseconds until the next try. */
  waitMs(now: number): number {
    return Math.max(0, this.#retryAt - now);
  }

  /** Records an answer of a working target, whether it took the request or refused it. */
  answered(): void {
    this.#backOff.reset();
    this.#retryAt = 0;
  }

  succeeded(now: number): void {
    this.answered();
    this.successes += 1;
    this.succeededAt = now;
  }

  /** Records a failure that is tried again. `atLeastMs`: what the target asked for. */
  failed(failure: string, now: number, atLeastMs = 0): void {
    this.note(failure, now);
    this.#retryAt = now + Math.max(this.#backOff.next(), Math.min(atLeastMs, MAX_MS));
  }

  /** Records what went wrong with one request, without a pause. */
  note(failure: string, now: number): void {
    this.failedAt = now;
    this.failure = failure;
  }
}
