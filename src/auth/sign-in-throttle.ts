import { LRUCache } from 'lru-cache';
import { AppError } from '../domain/app-error.ts';
import type { Clock } from '../domain/ports/clock.ts';
import { type Allowance, TokenBucket } from '../lib/token-bucket.ts';
import { grownTo } from '../lib/grown-to.ts';

/** Wrong passwords per username: ten at once, then two a minute. */
const PER_USERNAME: Allowance = { burst: 10, perMinute: 2 };
/** Per address. Higher, because several users may share an address. */
const PER_ADDRESS: Allowance = { burst: 40, perMinute: 6 };

/** Per known browser of a username: the same as all unknown browsers together. */
const PER_BROWSER: Allowance = PER_USERNAME;
/** Total for all known browsers of a username; bounds the attempts of a former user. */
const PER_KNOWN_USERNAME: Allowance = { burst: 100, perMinute: 20 };

/** Maximum number of entries of each of the four counters. Evicts the least recently used. */
const MAX_REMEMBERED = 10_000;

export interface SignInThrottle {
  /**
   * Counts an attempt before the password check, so that parallel attempts cannot exceed the limit. Returns a function
   * that takes the attempt back after a right password. Throws `rate_limited` with the seconds to wait. `browser`: id
   * of a browser that signed in under this username before, with its own limit.
   */
  attempt(username: string, address: string, browser: string | null): () => void;
}

/** Token bucket per name. */
class Buckets {
  readonly #allowance: Allowance;
  readonly #clock: Clock;
  readonly #byName = new LRUCache<string, TokenBucket>(grownTo(MAX_REMEMBERED));

  constructor(allowance: Allowance, clock: Clock) {
    this.#allowance = allowance;
    this.#clock = clock;
  }

  /** Milliseconds until one more attempt is allowed; 0: now. */
  waitMs(name: string): number {
    return this.#byName.get(name)?.wait(1, this.#clock.now()) ?? 0;
  }

  /** Counts an attempt, or takes it back by -1. */
  add(name: string, count: 1 | -1): void {
    const now = this.#clock.now();
    const bucket = this.#byName.get(name) ?? new TokenBucket(this.#allowance, now);
    bucket.take(count, now);
    this.#byName.set(name, bucket);
  }
}

/**
 * Limits password attempts of one process. Unknown browsers: per username and per client address. Browsers that have
 * signed in before: per browser and per username.
 */
export function createSignInThrottle(clock: Clock): SignInThrottle {
  const usernames = new Buckets(PER_USERNAME, clock);
  const addresses = new Buckets(PER_ADDRESS, clock);
  const browsers = new Buckets(PER_BROWSER, clock);
  const knownUsernames = new Buckets(PER_KNOWN_USERNAME, clock);
  return {
    attempt(username, address, browser) {
      // Case-insensitive, as the account look-up. No account has a longer name.
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
