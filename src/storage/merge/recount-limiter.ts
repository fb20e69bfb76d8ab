/** Divisor of the time for recounts: those of one merged error use at most 1/20 of it. */
const SHARE = 20;
/** Recounts up to this duration in milliseconds are not limited. */
const QUICK_MS = 20;

/**
 * Limits how often distinct users of large merged errors are recounted. Keeps only errors whose last recount was
 * slow; the state is lost with the process.
 */
export class RecountLimiter {
  readonly #notBefore = new Map<string, number>();

  /** Returns true when a recount is allowed. `now`: milliseconds since the epoch. */
  isDue(error: string, now: number): boolean {
    return now >= (this.#notBefore.get(error) ?? 0);
  }

  counted(error: string, took: number, now: number): void {
    if (took > QUICK_MS) {
      this.#notBefore.set(error, now + took * SHARE);
    } else {
      this.#notBefore.delete(error);
    }
  }
}
