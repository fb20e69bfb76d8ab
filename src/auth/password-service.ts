import { AppError } from '../domain/app-error.ts';
import { mayUsePassword } from '../domain/projects/account.ts';
import type { Credentials, WebSessionStore } from '../domain/ports/stores/web-session-store.ts';
import { MAX_PASSWORD_LENGTH } from './password-rules.ts';
import { verifyPassword } from './password.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';

/**
 * Hash checked for an unknown username, so that both cases take the same time. Its key is random: no known password
 * matches.
 */
const NOBODY = 'scrypt$32768$8$3$fSGSxkdv_oY5bgkrVS4h2A$qk6H0JnmI8FAoGQ0z0SuvcIDQJXp9pKMSzHXlW4fOtk';

/** Maximum number of queued password checks. Each takes about 60 ms and 32 MB. */
const MAX_WAITING = 50;

export interface PasswordService {
  /**
   * Checks a password. Throws `invalid_credentials` for a wrong password, an unknown user and a blocked one alike.
   * Also throws it for a right one of a user who may not sign in with it. Throws `rate_limited` after too many wrong ones. `browser`: id of a browser known for this username.
   */
  check(username: string, password: string, address: string, browser?: string | null): Promise<Credentials>;
}

export interface PasswordServiceDeps {
  readonly store: Pick<WebSessionStore, 'credentials'>;
  /** Counts attempts, also those of second factors. */
  readonly throttle: SignInThrottle;
  /** Whether people may sign in with passwords, unless their account says otherwise. Default true. */
  readonly allowed?: boolean;
  /** Replaced in tests. */
  readonly verify?: typeof verifyPassword;
}

export function createPasswordService(deps: PasswordServiceDeps): PasswordService {
  const { store, throttle, allowed = true, verify = verifyPassword } = deps;
  let waiting = 0;
  let turn: Promise<unknown> = Promise.resolve();

  /** Runs one check at a time: the hashing threads also sync the journal. */
  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (waiting >= MAX_WAITING) {
      throw new AppError('rate_limited', 'Too many sign-ins at the moment. Try again in a few seconds.', {
        retryAfterSeconds: 5,
      });
    }
    waiting += 1;
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      waiting -= 1;
    }
  }

  return {
    async check(username, password, address, browser = null) {
      const takeBack = throttle.attempt(username, address, browser);
      const found = await store.credentials(username);
      const fits = await inTurn(() =>
        verify(password.slice(0, MAX_PASSWORD_LENGTH * 2), found?.passwordHash ?? NOBODY),
      );
      if (found === null || !fits || found.user.blocked || password.length > MAX_PASSWORD_LENGTH * 2) {
        throw new AppError('invalid_credentials', 'Invalid username or password.');
      }
      takeBack();
      if (!mayUsePassword(found.user, allowed)) {
        throw new AppError('invalid_credentials', 'Passwords are not used here: sign in with the other button.');
      }
      return found;
    },
  };
}
