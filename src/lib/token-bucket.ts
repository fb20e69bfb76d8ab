/** Tokens per minute, and maximum at once after a pause. Both above 0. */
export interface Allowance {
  readonly perMinute: number;
  readonly burst: number;
}

const MINUTE_MS = 60_000;

/**
 * Token bucket that fills evenly up to `burst` and begins full. A clock that jumps back adds nothing; one that jumps
 * ahead may fill it.
 */
export class TokenBucket {
  readonly allowance: Allowance;
  #tokens: number;
  #filledAt: number;

  constructor(allowance: Allowance, now: number) {
    this.allowance = allowance;
    this.#tokens = allowance.burst;
    this.#filledAt = now;
  }

  available(now: number): number {
    const { perMinute, burst } = this.allowance;
    const passed = now - this.#filledAt;
    if (passed !== 0) {
      this.#filledAt = now;
      this.#tokens = passed < 0 ? this.#tokens : Math.min(burst, this.#tokens + (passed * perMinute) / MINUTE_MS);
    }
    return this.#tokens;
  }

  /** Takes `quantity` without a check, or everything when there is less. A negative quantity gives tokens back. */
  take(quantity: number, now: number): void {
    this.#tokens = Math.min(this.allowance.burst, Math.max(0, this.available(now) - quantity));
  }

  /** Takes one token; false without a change when there is none. */
  tryTake(now: number): boolean {
    if (this.wait(1, now) > 0) return false;
    this.take(1, now);
    return true;
  }

  isFull(now: number): boolean {
    return this.available(now) >= this.allowance.burst;
  }

  /**
   * Returns the milliseconds until `quantity` is available, 0 when it is. A quantity above the burst counts as the
   * burst.
   */
  wait(quantity: number, now: number): number {
    const { perMinute, burst } = this.allowance;
    return (Math.max(0, Math.min(quantity, burst) - this.available(now)) * MINUTE_MS) / perMinute;
  }
}
