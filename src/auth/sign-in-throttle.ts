import { LRUCache } from 'lru-cache';
import { AppError } from '../domain/app-error.ts';
import type { Clock } from '../domain/ports/clock.ts';

/** Wrong passwords in a row that are let through, and the milliseconds after which one more is. */
interface Allowance {
  readonly burst: number;
  readonly everyMs: number;
}

/** Ten at once, then two a minute: slow for a guesser, bearable for a person. */
const PER_USERNAME: Allowance = { burst: 10, everyMs: 30_000 };
/** More, because an office shares an address. */
const PER_ADDRESS: Allowance = { burst: 40, everyMs: 10_000 };

/** Usernames, and addresses, that are remembered; beyond, the one not tried for longest is forgotten. */
const MAX_REMEMBERED = 10_000;

export interface SignInThrottle {
  /**
   * Counts an attempt before its password is looked at, so that many at once do not slip through. Throws
   * `rate_limited` with the seconds to wait. The answer takes the attempt back: for the right password.
   */
  attempt(username: string, address: string): () => void;
}

/** A leaking bucket per name: how full it was, and when. */
class Buckets {
  readonly #allowance: Allowance;
  readonly #clock: Clock;
  readonly #levels = new LRUCache<string, { readonly level: number; readonly at: number }>({ max: MAX_REMEMBERED });

  constructor(allowance: Allowance, clock: Clock) {
    this.#allowance = allowance;
    this.#clock = clock;
  }

  #level(name: string): number {
    const known = this.#levels.get(name);
    if (known === undefined) return 0;
    return Math.max(0, known.level - Math.max(0, this.#clock.now() - known.at) / this.#allowance.everyMs);
  }

  /** Milliseconds until one more is let through; 0: now. */
  waitMs(name: string): number {
    const surplus = this.#level(name) + 1 - this.#allowance.burst;
    return surplus <= 0 ? 0 : surplus * this.#allowance.everyMs;
  }

  add(name: string, count: 1 | -1): void {
    this.#levels.set(name, { level: Math.max(0, this.#level(name) + count), at: this.#clock.now() });
  }
}

/** Bounds how fast passwords can be guessed, per username and per address of the client. Of one process. */
export function createSignInThrottle(clock: Clock): SignInThrottle {
  const usernames = new Buckets(PER_USERNAME, clock);
  const addresses = new Buckets(PER_ADDRESS, clock);
  return {
    attempt(username, address) {
      // As accounts are found: without regard to case. Longer names are nobody's.
      const name = username.slice(0, 255).toLowerCase();
      const waitMs = Math.max(usernames.waitMs(name), addresses.waitMs(address));
      if (waitMs > 0) {
        throw new AppError('rate_limited', 'Too many sign-in attempts. Wait a moment and try again.', {
          retryAfterSeconds: Math.ceil(waitMs / 1000),
        });
      }
      usernames.add(name, 1);
      addresses.add(address, 1);
      return () => {
        usernames.add(name, -1);
        addresses.add(address, -1);
      };
    },
  };
}
