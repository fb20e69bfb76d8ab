import { LRUCache } from 'lru-cache';
import type { AccessToken, User } from '../domain/account.ts';
import { AppError } from '../domain/app-error.ts';
import type { AccountStore } from '../domain/ports/account-store.ts';
import type { Clock } from '../domain/ports/clock.ts';
import { hashAccessToken } from './access-token.ts';
import type { Principal } from './principal.ts';

/** How long a token and its owner are believed without asking the store: half of the 2 s promised to operators. */
const CACHE_TTL_MS = 1000;

/** Tokens remembered at once; beyond, the least recently used is forgotten. */
const CACHE_MAX = 5000;

/** Longer values are not tokens of ours and are not even hashed. */
const MAX_TOKEN_LENGTH = 512;

export interface Authenticator {
  /**
   * Whose token this is. Throws `unauthorized` (unknown token, blocked or vanished owner), `token_expired`
   * or `token_revoked`. Changes by other processes are seen within a second.
   */
  authenticate(token: string): Promise<Principal>;
}

export interface AuthenticatorDeps {
  readonly accounts: Pick<AccountStore, 'tokenByHash' | 'userById'>;
  readonly clock: Clock;
  /** Told about every token that was let in. */
  readonly uses?: { note(token: AccessToken): void };
}

interface Owned {
  readonly user: User;
  readonly token: AccessToken;
}

/** Never tells an unknown token from a malformed one or from one of a blocked person. */
function unauthorised(): AppError {
  return new AppError('unauthorized', 'the access token is not valid');
}

function assertUsable({ user, token }: Owned, now: number): void {
  if (user.blocked) throw unauthorised();
  if (token.revokedAt !== null) throw new AppError('token_revoked', 'the access token was revoked');
  if (token.expiresAt !== null && token.expiresAt <= now) {
    throw new AppError('token_expired', 'the access token has expired');
  }
}

export function createAuthenticator({ accounts, clock, uses }: AuthenticatorDeps): Authenticator {
  const cache = new LRUCache<string, Owned>({
    max: CACHE_MAX,
    ttl: CACHE_TTL_MS,
    // Without a resolution the cache asks the clock each time, which is what makes it exact.
    ttlResolution: 0,
    perf: clock,
  });

  async function load(hash: string): Promise<Owned> {
    const token = await accounts.tokenByHash(hash);
    const user = token === null ? null : await accounts.userById(token.userId);
    if (token === null || user === null) throw unauthorised();
    return { user, token };
  }

  return {
    async authenticate(text) {
      if (text.length === 0 || text.length > MAX_TOKEN_LENGTH) throw unauthorised();
      const hash = hashAccessToken(text);
      const known = cache.get(hash);
      const owned = known ?? (await load(hash));
      if (known === undefined) cache.set(hash, owned);
      assertUsable(owned, clock.now());
      uses?.note(owned.token);
      return { ...owned, scopes: owned.token.scopes };
    },
  };
}
