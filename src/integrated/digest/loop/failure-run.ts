import { AppError, logFields } from '../../../domain/app-error.ts';
import type { DigestLoopOptions } from './digest-loop-options.ts';
import { BackOff } from '../../../lib/back-off.ts';

/** Milliseconds between two log lines about failures in a row. */
const WARN_EVERY_MS = 60_000;

/** Failures in a row after which health reports the digest as paused; they take less than a second. */
const FAILURES_TO_TELL = 3;

/** Counts failures of the digest in a row. Logs the first one and one a minute, and reports the pause. */
export class FailureRun {
  readonly #options: DigestLoopOptions;
  readonly #backOff: BackOff;
  /** Time of the last log line, milliseconds since the epoch; null without a failure. */
  #warnedAt: number | null = null;

  constructor(options: DigestLoopOptions, random: () => number) {
    this.#options = options;
    this.#backOff = new BackOff({ firstMs: 100, maxMs: 30_000, random });
  }

  /** Failures since the last success. */
  get count(): number {
    return this.#backOff.attempts;
  }

  /** Records one failure. Returns the milliseconds to wait before the next attempt. */
  add(error: unknown): number {
    const { clock, logger, onHeldUp } = this.#options;
    const now = clock.now();
    if (this.#warnedAt === null || now - this.#warnedAt >= WARN_EVERY_MS) {
      this.#warnedAt = now;
      logger.warn(logFields(error), 'the digest is paused: the store or the disk does not respond; it retries');
    }
    if (this.#backOff.attempts + 1 >= FAILURES_TO_TELL) {
      onHeldUp?.(error instanceof AppError ? error.message : 'the digest failed unexpectedly; see the log');
    }
    return this.#backOff.next();
  }

  /** Ends the run after a success. */
  end(): void {
    this.#warnedAt = null;
    if (this.#backOff.attempts === 0) return;
    this.#backOff.reset();
    this.#options.onHeldUp?.(null);
    this.#options.logger.info('the digest continues');
  }
}
