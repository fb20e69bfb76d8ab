/** Counting anew may take this share of the time at most: one part of so many. */
const SHARE = 20;
/** Counts that took no longer than this are made whenever they are asked for. Milliseconds. */
const QUICK_MS = 20;

/**
 * Spaces out the counting of distinct users of large merged errors, so that it never takes more than a small
 * share of the time. It remembers only errors whose last count took long; a new process begins anew.
 */
export class RecountPace {
  readonly #notBefore = new Map<string, number>();

  /** `now`: milliseconds of any clock that only goes forward. */
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
