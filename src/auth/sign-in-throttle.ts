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

/** Of a browser that has signed in under the username before: as much as strangers have together. */
const PER_BROWSER: Allowance = PER_USERNAME;
/** Of all such browsers of a username: more than a person has, and an end to what a former user can try. */
const PER_KNOWN_USERNAME: Allowance = { burst: 100, everyMs: 3000 };

/** Usernames, addresses and browsers that are remembered, of each so many; beyond, the one not tried for longest is forgotten. */
const MAX_REMEMBERED = 10_000;

export interface SignInThrottle {
  /**
   * Counts an attempt before its password is looked at, so that many at once do not slip through. Throws
   * `rate_limited` with the seconds to wait. The answer takes the attempt back: for the right password. `browser`:
   * the id of one that has signed in under this username before; its attempts are counted apart from strangers'.
   */
  attempt(username: string, address: string, browser: string | null): () => void;
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

/**
 * Bounds how fast passwords can be guessed: by strangers per username and per address of the client, by browsers
 * that have signed in before per browser and per username. Of one process.
 */
export function createSignInThrottle(clock: Clock): SignInThrottle {
  const usernames = new Buckets(PER_USERNAME, clock);
  const addresses = new Buckets(PER_ADDRESS, clock);
  const browsers = new Buckets(PER_BROWSER, clock);
  const knownUsernames = new Buckets(PER_KNOWN_USERNAME, clock);
  return {
    attempt(username, address, browser) {
      // As accounts are found: without regard to case. Longer names are nobody's.
      const name = username.slice(0, 255).toLowerCase();
      const counted: readonly (readonly [Buckets, string])[] =
        browser === null
          ? [
              [usernames, name],
              [addresses, address],
            ]
          : [
              [browsers, browser],
              [knownUsernames, name],
            ];
      const waitMs = Math.max(...counted.map(([buckets, key]) => buckets.waitMs(key)));
      if (waitMs > 0) {
        throw new AppError('rate_limited', 'Too many sign-in attempts. Wait a moment and try again.', {
          retryAfterSeconds: Math.ceil(waitMs / 1000),
        });
      }
      for (const [buckets, key] of counted) buckets.add(key, 1);
      return () => {
        for (const [buckets, key] of counted) buckets.add(key, -1);
      };
    },
  };
}
