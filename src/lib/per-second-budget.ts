/** So many of something in each second by the clock; a second that ends takes what was left of it along. */
export class PerSecondBudget {
  readonly #perSecond: number;
  #second = 0;
  #taken = 0;

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** False when those of this second are used up. `now`: milliseconds. */
  take(now: number): boolean {
    const second = Math.floor(now / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#taken = 0;
    }
    this.#taken += 1;
    return this.#taken <= this.#perSecond;
  }
}
