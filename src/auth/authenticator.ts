import { LRUCache } from 'lru-cache';
import { mayUsePassword, type AccessToken, type User } from '../domain/projects/account.ts';
import { AppError } from '../domain/app-error.ts';
import type { AccountStore } from '../domain/ports/stores/account-store.ts';
import type { Clock } from '../domain/ports/clock.ts';
import { hashAccessToken } from './access-token.ts';
import type { Principal } from './principal.ts';

/** Cache lifetime of a token and its owner in milliseconds: half of the promised 2 s. */
const CACHE_TTL_MS = 1000;

/** Maximum number of cached tokens. Evicts the least recently used. */
const CACHE_MAX = 5000;

/** Maximum length of a token. Longer values are rejected before hashing. Tokens of builds contain an address. */
const MAX_TOKEN_LENGTH = 1024;

export interface Authenticator {
  /**
   * Returns the owner of the token. Throws `unauthorized` (unknown token, blocked or vanished owner), `token_expired`
   * or `token_revoked`. Changes by other processes are seen within a second.
   */
  authenticate(token: string): Promise<Principal>;
}

export interface TokenEnd {
  /** Whether people may sign in with passwords, unless their account says otherwise. */
  readonly passwordSignIn: boolean;
  /** Milliseconds after the last sign-in or check at the provider. */
  readonly maxMs: number;
}

export interface AuthenticatorDeps {
  readonly accounts: Pick<AccountStore, 'tokenByHash' | 'userById' | 'projectsOfToken'>;
  readonly clock: Clock;
  /** What ends tokens of people who sign in at an identity provider alone. Default: nothing. */
  readonly signOn?: TokenEnd;
  /** Called for every accepted token. */
  readonly uses?: { note(token: AccessToken): void };
}

interface Owned {
  readonly user: User;
  readonly token: AccessToken;
  readonly onlyProjects: readonly number[] | null;
}

/** Gives the same error for an unknown token, a malformed one and one of a blocked user. */
function unauthorised(): AppError {
  return new AppError('unauthorized', 'the access token is not valid');
}

/** True when the owner has not been seen at the identity provider for too long: the person may have left. */
function isAbandoned({ user }: Owned, end: TokenEnd | undefined, now: number): boolean {
  if (end === undefined || user.signedOnAt === null || mayUsePassword(user, end.passwordSignIn)) return false;
  return now - user.signedOnAt >= end.maxMs;
}

function assertUsable(owned: Owned, end: TokenEnd | undefined, now: number): void {
  const { user, token } = owned;
  if (user.blocked) throw unauthorised();
  if (token.revokedAt !== null) throw new AppError('token_revoked', 'the access token was revoked');
  if (token.expiresAt !== null && token.expiresAt <= now) {
    throw new AppError('token_expired', 'the access token has expired');
  }
  if (isAbandoned(owned, end, now)) {
    throw new AppError('token_expired', 'the owner has not signed in for too long: sign in once');
  }
}

export function createAuthenticator({ accounts, clock, signOn, uses }: AuthenticatorDeps): Authenticator {
  const cache = new LRUCache<string, Owned>({
    max: CACHE_MAX,
    ttl: CACHE_TTL_MS,
    // With a resolution of 0 the cache reads the clock each time, so that entries expire exactly.
    ttlResolution: 0,
    perf: clock,
  });

  async function load(hash: string): Promise<Owned> {
    const token = await accounts.tokenByHash(hash);
    const user = token === null ? null : await accounts.userById(token.userId);
    if (token === null || user === null) throw unauthorised();
    const onlyProjects = token.scopes.includes('ci') ? await accounts.projectsOfToken(token.id) : null;
    return { user, token, onlyProjects };
  }

  return {
    async authenticate(text) {
      if (text.length === 0 || text.length > MAX_TOKEN_LENGTH) throw unauthorised();
      const hash = hashAccessToken(text);
      const known = cache.get(hash);
      const owned = known ?? (await load(hash));
      if (known === undefined) cache.set(hash, owned);
      assertUsable(owned, signOn, clock.now());
      uses?.note(owned.token);
      return { ...owned, scopes: owned.token.scopes };
    },
  };
}
