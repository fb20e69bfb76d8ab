import { LRUCache } from 'lru-cache';
import { createHmac, randomBytes } from 'node:crypto';
import type { User } from '../domain/projects/account.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { Store } from '../domain/ports/stores/store.ts';

/** Cache lifetime of a user in milliseconds: half of the promised 2 s. */
const CACHE_TTL_MS = 1000;

/** Milliseconds for which the account of an e-mail address is not sought again. Each use checks its address. */
const EMAIL_TTL_MS = 60_000;

/** Maximum number of cached names. Evicts the least recently used. */
const CACHE_MAX = 5000;

/** Longer than every username and e-mail address. */
const MAX_NAME_LENGTH = 254;

const KEY_NAME = 'proxy_session_key';

/** Person that the proxy in front of errgate signs in. */
export interface ProxiedUser {
  readonly user: User;
  /**
   * Stands for the session id, of which the CSRF token is derived. It is no session: nobody can sign in with it. The
   * same for all requests of a user.
   */
  readonly sessionId: string;
}

export interface ProxySignIn {
  /** True: people may be signed in by a proxy, and their e-mail address may be the name for it. */
  readonly isOn: boolean;
  /**
   * Returns the account that the proxy names: the one of this username in any case, or of this e-mail address if exactly
   * one account has it, confirmed. Null for every other name and for a blocked account. Throws `store_unavailable`.
   */
  find(name: string): Promise<ProxiedUser | null>;
}

export interface ProxySignInDeps {
  readonly store: Pick<Store, 'userByName' | 'userById' | 'listUsers' | 'initMeta'>;
  readonly clock: Clock;
  readonly isOn: boolean;
}

/** Creates the look-up of persons that a proxy signs in. It makes no accounts. All gateways of a store share its key. */
export function createProxySignIn({ store, clock, isOn }: ProxySignInDeps): ProxySignIn {
  const exact = { ttlResolution: 0, perf: clock, max: CACHE_MAX };
  const users = new LRUCache<string, User>({ ...exact, ttl: CACHE_TTL_MS });
  const idsOfEmails = new LRUCache<string, number>({ ...exact, ttl: EMAIL_TTL_MS });
  let key: string | null = null;

  const has = (user: User | null, email: string): boolean => user?.email?.toLowerCase() === email;
  // Otherwise people could enter the address of a colleague, and wait.
  const isConfirmed = (user: User | null, email: string): boolean => has(user, email) && user?.emailConfirmed === true;

  /** `email`: in lower case. */
  async function byEmail(email: string): Promise<User | null> {
    const known = idsOfEmails.get(email);
    const user = known === undefined ? null : await store.userById(known);
    if (isConfirmed(user, email)) return user;
    const [found, ...others] = (await store.listUsers()).filter((each) => has(each, email));
    if (found === undefined || others.length > 0 || !isConfirmed(found, email)) return null;
    idsOfEmails.set(email, found.id);
    return found;
  }

  async function load(name: string): Promise<User | null> {
    // No username has this character.
    const user = await (name.includes('@') ? byEmail(name) : store.userByName(name));
    if (user !== null) users.set(name, user);
    return user;
  }

  return {
    isOn,
    async find(given) {
      const name = given.toLowerCase();
      if (name === '' || name.length > MAX_NAME_LENGTH) return null;
      const user = users.get(name) ?? (await load(name));
      if (user === null || user.blocked) return null;
      key ??= await store.initMeta(KEY_NAME, randomBytes(32).toString('hex'));
      const signed = createHmac('sha256', Buffer.from(key, 'hex')).update(`user ${user.id}`);
      return { user, sessionId: signed.digest('base64url') };
    },
  };
}
