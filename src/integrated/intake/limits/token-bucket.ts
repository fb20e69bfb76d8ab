/** Rate per minute, and burst size after a pause. Both above 0. */
export interface Allowance {
  readonly perMinute: number;
  readonly burst: number;
}

const MINUTE_MS = 60_000;

/** Fills evenly up to `burst`. Begins full. A clock that jumps back fills nothing, one that jumps ahead fills up. */
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

  /** Takes `quantity`, or everything when there is less; asks nothing. */
  take(quantity: number, now: number): void {
    this.#tokens = Math.max(0, this.available(now) - quantity);
  }

  isFull(now: number): boolean {
    return this.available(now) >= this.allowance.burst;
  }

  /** Milliseconds until `quantity` is there; 0 when it is. More than fits counts as what fits. */
  wait(quantity: number, now: number): number {
    const { perMinute, burst } = this.allowance;
    return (Math.max(0, Math.min(quantity, burst) - this.available(now)) * MINUTE_MS) / perMinute;
  }
}
