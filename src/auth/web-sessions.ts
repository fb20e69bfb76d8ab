import { LRUCache } from 'lru-cache';
import type { Clock } from '../domain/ports/clock.ts';
import type { Credentials, SignedIn, WebSessionStore } from '../domain/ports/web-session-store.ts';
import { generateSessionId, hashSessionId } from './session-id.ts';

/** How long a session and its person are believed without asking the store: half of the 2 s promised to operators. */
const CACHE_TTL_MS = 1000;

/** Sessions remembered at once; beyond, the least recently used is forgotten. */
const CACHE_MAX = 5000;

/** How late the store may know that a session was used, at most. */
const TOUCH_MS = 60_000;

export interface WebSessionLimits {
  /** Without any request for this long, a session ends. Milliseconds. */
  readonly idleMs: number;
  /** After this long a session ends, however much it is used. Milliseconds. */
  readonly maxMs: number;
}

export interface WebSessions {
  readonly limits: WebSessionLimits;
  /** Makes a session for somebody whose password was checked; its id is for the browser alone. */
  begin(person: Pick<Credentials, 'user' | 'epoch'>): Promise<string>;
  /** Whose session it is; null when there is none, it is over, or the person is blocked. Ends elsewhere are seen within a second. */
  find(sessionId: string): Promise<SignedIn | null>;
  end(sessionId: string): Promise<void>;
  /** Ends all sessions of a person. */
  endAll(userId: number): Promise<void>;
  /** To be called after a change to a person that ends sessions, or concerns who they belong to. */
  forget(): void;
}

export interface WebSessionsDeps {
  readonly store: Pick<
    WebSessionStore,
    'createSession' | 'sessionByHash' | 'touchSession' | 'endSession' | 'endSessionsOfUser'
  >;
  readonly clock: Clock;
  readonly limits: WebSessionLimits;
}

export function createWebSessions({ store, clock, limits }: WebSessionsDeps): WebSessions {
  const cache = new LRUCache<string, SignedIn>({ max: CACHE_MAX, ttl: CACHE_TTL_MS, ttlResolution: 0, perf: clock });
  /** Counts up with every end, so that a look-up which began before does not remember what has ended. */
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

  /** Never keeps the person waiting; what the store does not hear now it hears with the next request. */
  function touch(found: SignedIn, now: number): void {
    const { session } = found;
    if (now - session.usedAt < touchMs) return;
    if (cache.has(session.hash)) cache.set(session.hash, { ...found, session: { ...session, usedAt: now } });
    void store.touchSession(session.hash, now).catch(() => undefined);
  }

  return {
    limits,
    forget,
    async begin({ user, epoch }) {
      const id = generateSessionId();
      const hash = hashSessionId(id) ?? '';
      const createdAt = clock.now();
      await store.createSession({ hash, userId: user.id, epoch, createdAt, endsAt: createdAt + limits.maxMs });
      return id;
    },
    async find(sessionId) {
      const hash = hashSessionId(sessionId);
      if (hash === null) return null;
      const found = cache.get(hash) ?? (await load(hash));
      if (found === null || found.user.blocked) return null;
      const now = clock.now();
      if (now >= found.session.endsAt || now - found.session.usedAt >= limits.idleMs) return null;
      touch(found, now);
      return found;
    },
    async end(sessionId) {
      const hash = hashSessionId(sessionId);
      if (hash === null) return;
      await store.endSession(hash);
      forget();
    },
    async endAll(userId) {
      await store.endSessionsOfUser(userId);
      forget();
    },
  };
}
