/** Fixed number of permits per clock second; unused permits expire. */
export class PerSecondBudget {
  readonly #perSecond: number;
  #second = 0;
  #taken = 0;

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Takes a permit; false when those of this second are used up. `now`: milliseconds. */
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
