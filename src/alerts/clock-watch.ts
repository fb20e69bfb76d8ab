/** Milliseconds by which a clock may drift within one turn of work before it counts as set. */
const TOLERANCE_MS = 2000;

/** Watches the clock for being set, by one that only runs forward. */
export class ClockWatch {
  readonly #now: () => number;
  readonly #steady: () => number;
  #ahead: number;

  /** `now`: milliseconds since the epoch. `steady`: milliseconds since any time, never set. */
  constructor(now: () => number, steady: () => number) {
    this.#now = now;
    this.#steady = steady;
    this.#ahead = now() - steady();
  }

  /** Returns the milliseconds by which the clock was set since the last call; 0: it was not. */
  setBy(): number {
    const ahead = this.#now() - this.#steady();
    const by = ahead - this.#ahead;
    if (Math.abs(by) < TOLERANCE_MS) return 0;
    this.#ahead = ahead;
    return by;
  }
}
