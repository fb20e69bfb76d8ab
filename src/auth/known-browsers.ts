import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../domain/ports/clock.ts';
import type { Store } from '../domain/ports/store.ts';

/** How long a browser is known after its last sign-in. Milliseconds; browsers keep no cookie for more than 400 days. */
export const KNOWN_MS = 180 * 86_400_000;

/** Id of 16 bytes, time of the sign-in in base 36, HMAC-SHA256 over both and the username. */
const MARK = /^([A-Za-z0-9_-]{22})\.([0-9a-z]{1,11})\.([A-Za-z0-9_-]{43})$/;
const KEY_NAME = 'known_browser_key';

export interface KnownBrowsers {
  /**
   * The id of a browser that has signed in under this username in the last 180 days; null for every other mark.
   * Throws `store_unavailable`.
   */
  identify(mark: string | null, username: string): Promise<string | null>;
  /** The mark that a browser is to keep after signing in; a known one keeps its id. */
  mark(username: string, id: string | null): Promise<string>;
}

export interface KnownBrowsersDeps {
  readonly store: Pick<Store, 'initMeta'>;
  readonly clock: Clock;
}

/**
 * Recognises browsers that have signed in before, so that strangers who guess passwords cannot shut them out. A
 * mark lets nobody in: it only says whose attempts are counted apart. Its key is shared by all gateways of a store.
 */
export function createKnownBrowsers({ store, clock }: KnownBrowsersDeps): KnownBrowsers {
  let key: string | null = null;

  async function sign(id: string, at: string, username: string): Promise<Buffer> {
    key ??= await store.initMeta(KEY_NAME, randomBytes(32).toString('hex'));
    // As accounts are found: without regard to case.
    return createHmac('sha256', Buffer.from(key, 'hex')).update(`${id} ${at} ${username.toLowerCase()}`).digest();
  }

  return {
    async identify(mark, username) {
      const [, id, at, signature] = (mark === null ? null : MARK.exec(mark)) ?? [];
      if (id === undefined || at === undefined || signature === undefined) return null;
      if (clock.now() - Number.parseInt(at, 36) > KNOWN_MS) return null;
      const expected = await sign(id, at, username);
      const given = Buffer.from(signature, 'base64url');
      return given.length === expected.length && timingSafeEqual(given, expected) ? id : null;
    },
    async mark(username, known) {
      const id = known ?? randomBytes(16).toString('base64url');
      const at = clock.now().toString(36);
      return `${id}.${at}.${(await sign(id, at, username)).toString('base64url')}`;
    },
  };
}
