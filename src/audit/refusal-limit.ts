import { LRUCache } from 'lru-cache';
import type { Clock } from '../domain/ports/clock.ts';
import { TokenBucket, type Allowance } from '../lib/token-bucket.ts';

/** Events of refusals of one address. */
const PER_ADDRESS: Allowance = { burst: 10, perMinute: 1 };
/** Events of refusals of all addresses: a flood of a year makes less than three million. */
const IN_ALL: Allowance = { burst: 100, perMinute: 5 };
/** Maximum of addresses that are known at a time. Evicts the least recently refused. */
const MAX_ADDRESSES = 10_000;
/** Maximum of addresses that are told apart among those without an event. */
const MAX_LEFT_OUT = 2;

/** Limits the events of refusals, so that nobody can fill the store with them. */
export class RefusalLimit {
  readonly #clock: Clock;
  readonly #all: TokenBucket;
  readonly #byAddress = new LRUCache<string, TokenBucket>({ max: MAX_ADDRESSES });
  #count = 0;
  readonly #addresses = new Set<string | null>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#all = new TokenBucket(IN_ALL, clock.now());
  }

  /** Returns true when a refusal gets an event; counts it otherwise. All unknown addresses (null) are one. */
  take(address: string | null): boolean {
    const now = this.#clock.now();
    const own = this.#byAddress.get(address ?? '') ?? new TokenBucket(PER_ADDRESS, now);
    this.#byAddress.set(address ?? '', own);
    if (own.tryTake(now) && this.#all.tryTake(now)) return true;
    this.#count += 1;
    if (this.#addresses.size < MAX_LEFT_OUT) this.#addresses.add(address);
    return false;
  }

  /** Number of refusals without an event, and their addresses, of which one or more stand for several. */
  leftOut(): { readonly count: number; readonly addresses: ReadonlySet<string | null> } {
    return { count: this.#count, addresses: new Set(this.#addresses) };
  }

  /** Forgets refusals whose number was written. */
  written(count: number): void {
    this.#count -= count;
    this.#addresses.clear();
  }
}
