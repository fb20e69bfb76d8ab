import { AppError } from '../domain/app-error.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { Allowance } from '../lib/token-bucket.ts';
import { AttemptLimits } from './attempt-limits.ts';

/** Wrong passwords per username: ten at once, then two a minute. */
const PER_USERNAME: Allowance = { burst: 10, perMinute: 2 };
/** Per address. Higher, because several users may share an address. */
const PER_ADDRESS: Allowance = { burst: 40, perMinute: 6 };

/** Per known browser of a username: the same as all unknown browsers together. */
const PER_BROWSER: Allowance = PER_USERNAME;
/** Total for all known browsers of a username; bounds the attempts of a former user. */
const PER_KNOWN_USERNAME: Allowance = { burst: 100, perMinute: 20 };

export interface SignInThrottle {
  /**
   * Counts an attempt before the password check, so that parallel attempts cannot exceed the limit. Returns a function
   * that takes the attempt back after a right password. Throws `rate_limited` with the seconds to wait. `browser`: id
   * of a browser that signed in under this username before, with its own limit.
   */
  attempt(username: string, address: string, browser: string | null): () => void;
}

/**
 * Limits password attempts of one process. Unknown browsers: per username and per client address. Browsers that have
 * signed in before: per browser and per username.
 */
export function createSignInThrottle(clock: Clock): SignInThrottle {
  const usernames = new AttemptLimits(PER_USERNAME, clock);
  const addresses = new AttemptLimits(PER_ADDRESS, clock);
  const browsers = new AttemptLimits(PER_BROWSER, clock);
  const knownUsernames = new AttemptLimits(PER_KNOWN_USERNAME, clock);
  return {
    attempt(username, address, browser) {
      // Case-insensitive, as the account look-up. No account has a longer name.
      const name = username.slice(0, 255).toLowerCase();
      const counted: readonly (readonly [AttemptLimits, string])[] =
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
