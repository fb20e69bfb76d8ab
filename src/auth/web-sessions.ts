import { LRUCache } from 'lru-cache';
import type { Clock } from '../domain/ports/clock.ts';
import { cleanText } from '../lib/text/clean-text.ts';
import {
  MAX_BROWSER_LENGTH,
  type Credentials,
  type ProviderSession,
  type SignedIn,
  type WebSession,
  type WebSessionStore,
} from '../domain/ports/stores/web-session-store.ts';
import { generateSessionId, hashSessionId, shownSessionId } from './session-id.ts';

/** Cache lifetime of a session and its user in milliseconds: half of the promised 2 s. */
const CACHE_TTL_MS = 1000;

/** Maximum number of cached sessions. Evicts the least recently used. */
const CACHE_MAX = 5000;

/** Maximum delay in milliseconds before the store records a use of a session. */
const TOUCH_MS = 60_000;

export interface WebSessionLimits {
  /** Idle timeout of a session in milliseconds. */
  readonly idleMs: number;
  /** Maximum lifetime of a session in milliseconds. */
  readonly maxMs: number;
}

/** Sender of a sign-in. */
export interface SessionOrigin {
  /** Header `User-Agent`, unbounded; empty: none. */
  readonly userAgent: string;
  /** Client address; null: not known. */
  readonly address: string | null;
  /** True: a second factor was used. */
  readonly secondFactor: boolean;
}

export interface WebSessions {
  readonly limits: WebSessionLimits;
  /**
   * Creates a session after a sign-in. Returns the session id for the browser. `provider`: the sign-in was at an
   * identity provider, and the session ends after `maxMs` at the latest; `checkedAt`: last check there, if not now.
   */
  begin(
    person: Pick<Credentials, 'user' | 'epoch'>,
    origin: SessionOrigin,
    provider?: ProviderSession & { readonly maxMs: number | null; readonly checkedAt?: number },
  ): Promise<string>;
  /**
   * Returns the user of the session; null when unknown, expired, or the user is blocked. Sees remote ends within 1 s.
   * `address`: of the client, stored with the use; null: not known.
   */
  find(sessionId: string, address: string | null): Promise<SignedIn | null>;
  /** Returns the sessions of a user that have not expired, the last used first. */
  list(userId: number): Promise<readonly WebSession[]>;
  /** Ends a session of the user by the name that lists show. False when there is none. */
  endShown(userId: number, shownId: string): Promise<boolean>;
  end(sessionId: string): Promise<void>;
  /** Ends all sessions of a user. */
  endAll(userId: number): Promise<void>;
  /** Ends the sessions of a user that lists have, without the one of this hash. */
  endAllBut(userId: number, hash: string): Promise<void>;
  /** Drops cached sessions. Call it after a change to a user that ends or alters sessions. */
  forget(): void;
}

export interface WebSessionsDeps {
  readonly store: Pick<
    WebSessionStore,
    'createSession' | 'sessionByHash' | 'sessionsOfUser' | 'touchSession' | 'endSession' | 'endSessionsOfUser'
  >;
  readonly clock: Clock;
  readonly limits: WebSessionLimits;
  /**
   * Checks a session at its identity provider when that is due; false: it has ended. Absent: no session began at one.
   */
  readonly check?: (found: SignedIn) => Promise<boolean>;
}

export function createWebSessions({ store, clock, limits, check }: WebSessionsDeps): WebSessions {
  const cache = new LRUCache<string, SignedIn>({ max: CACHE_MAX, ttl: CACHE_TTL_MS, ttlResolution: 0, perf: clock });
  /** Incremented with every end, so that an earlier look-up does not cache an ended session. */
  let ends = 0;
  const touchMs = Math.min(TOUCH_MS, limits.idleMs / 4);

  function forget(): void {
    ends += 1;
    cache.clear();
  }

  async function load(hash: string): Promise<SignedIn | null> {
    const before = ends;
    const found = await store.sessionByHash(hash);
    if (found !== null && ends === before) cache.set(hash, found);
    return found;
  }

  /** A check changes the session, or its user: what was cached is read again. Without a provider the session ends. */
  async function isStillIn(found: SignedIn): Promise<boolean> {
    if (check === undefined) return false;
    const isIn = await check(found);
    if (!isIn) forget();
    return isIn;
  }

  /** Records a use without blocking the request. A failed write is repeated after the cache entry expires. */
  function touch(found: SignedIn, now: number, address: string | null): void {
    const { session } = found;
    if (now - session.usedAt < touchMs) return;
    if (cache.has(session.hash)) cache.set(session.hash, { ...found, session: { ...session, usedAt: now } });
    void store.touchSession(session.hash, now, address).catch(() => undefined);
  }

  function isOver({ endsAt, usedAt }: WebSession, now: number): boolean {
    return now >= endsAt || now - usedAt >= limits.idleMs;
  }

  async function endByHash(hash: string): Promise<boolean> {
    const ended = await store.endSession(hash);
    forget();
    return ended;
  }

  return {
    limits,
    forget,
    async begin({ user, epoch }, { userAgent, address, secondFactor }, provider) {
      const id = generateSessionId();
      const hash = hashSessionId(id) ?? '';
      const createdAt = clock.now();
      const browser = userAgent === '' ? null : cleanText(userAgent.slice(0, MAX_BROWSER_LENGTH));
      const endsAt = createdAt + Math.min(limits.maxMs, provider?.maxMs ?? limits.maxMs);
      const session = { hash, userId: user.id, epoch, createdAt, endsAt, browser, address, secondFactor };
      await store.createSession({ ...session, ...(provider && { provider }) });
      return id;
    },
    async find(sessionId, address) {
      const hash = hashSessionId(sessionId);
      if (hash === null) return null;
      const found = cache.get(hash) ?? (await load(hash));
      if (found === null || found.user.blocked) return null;
      const now = clock.now();
      if (isOver(found.session, now)) return null;
      if (found.session.identityId !== null && !(await isStillIn(found))) return null;
      touch(found, now, address);
      return found;
    },
    async list(userId) {
      const now = clock.now();
      return (await store.sessionsOfUser(userId)).filter((session) => !isOver(session, now));
    },
    async endShown(userId, shownId) {
      const found = (await store.sessionsOfUser(userId)).find(({ hash }) => shownSessionId(hash) === shownId);
      return found === undefined ? false : endByHash(found.hash);
    },
    async end(sessionId) {
      const hash = hashSessionId(sessionId);
      if (hash !== null) await endByHash(hash);
    },
    async endAllBut(userId, kept) {
      for (const { hash } of await store.sessionsOfUser(userId)) if (hash !== kept) await endByHash(hash);
    },
    async endAll(userId) {
      await store.endSessionsOfUser(userId);
      forget();
    },
  };
}
