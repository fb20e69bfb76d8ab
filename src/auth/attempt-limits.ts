import { LRUCache } from 'lru-cache';
import type { Clock } from '../domain/ports/clock.ts';
import { grownTo } from '../lib/grown-to.ts';
import { type Allowance, TokenBucket } from '../lib/token-bucket.ts';

/** Maximum number of names of which attempts are known. Evicts the least recently used. */
const MAX_REMEMBERED = 10_000;

/** Token bucket per name, in this process. */
export class AttemptLimits {
  readonly #allowance: Allowance;
  readonly #clock: Clock;
  readonly #byName = new LRUCache<string, TokenBucket>(grownTo(MAX_REMEMBERED));

  constructor(allowance: Allowance, clock: Clock) {
    this.#allowance = allowance;
    this.#clock = clock;
  }

  /** Milliseconds until `count` more attempts are allowed; 0: now. A count above the burst counts as the burst. */
  waitMs(name: string, count = 1): number {
    return this.#byName.get(name)?.wait(count, this.#clock.now()) ?? 0;
  }

  /** Counts attempts, or takes them back by a negative number. */
  add(name: string, count: number): void {
    const now = this.#clock.now();
    const bucket = this.#byName.get(name) ?? new TokenBucket(this.#allowance, now);
    bucket.take(count, now);
    this.#byName.set(name, bucket);
  }
}
