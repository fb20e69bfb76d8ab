/** Divisor of the time for recounts: those of one merged error use at most 1/20 of it. */
const SHARE = 20;
/** Recounts up to this duration in milliseconds are not limited. */
const QUICK_MS = 20;
/** Milliseconds of recounts that an error may use at once. So a single slow one delays no figure that people see. */
const BURST_MS = 1000;

/**
 * Limits how often distinct users of large merged errors are recounted. Keeps only errors whose recounts were slow; the
 * state is lost with the process.
 */
export class RecountLimiter {
  /** Times up to which recounts have used their share, by error. Such a time is in the past while a burst is left. */
  readonly #usedUntil = new Map<string, number>();

  /** Returns true when a recount is allowed. `now`: milliseconds since the epoch. */
  isDue(error: string, now: number): boolean {
    return now + BURST_MS * SHARE >= this.#until(error, now);
  }

  counted(error: string, took: number, now: number): void {
    if (took > QUICK_MS) this.#usedUntil.set(error, this.#until(error, now) + took * SHARE);
  }

  #until(error: string, now: number): number {
    const until = this.#usedUntil.get(error) ?? 0;
    if (until > now) return until;
    this.#usedUntil.delete(error);
    return now;
  }
}
