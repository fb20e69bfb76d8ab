import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../domain/ports/clock.ts';
import type { Store } from '../domain/ports/stores/store.ts';

/** Milliseconds a browser stays known after its last sign-in. Browsers keep no cookie for more than 400 days. */
export const KNOWN_MS = 180 * 86_400_000;

/** Form of a mark: id of 16 bytes, time of the sign-in in base 36, HMAC-SHA256 over both and the username. */
const MARK = /^([A-Za-z0-9_-]{22})\.([0-9a-z]{1,11})\.([A-Za-z0-9_-]{43})$/;
const KEY_NAME = 'known_browser_key';

export interface KnownBrowsers {
  /**
   * Returns the id of a browser that signed in under this username in the last 180 days. Null for every other mark.
   * Throws `store_unavailable`.
   */
  identify(mark: string | null, username: string): Promise<string | null>;
  /** Creates the cookie value for a browser after signing in. A known browser keeps its id. */
  mark(username: string, id: string | null): Promise<string>;
}

export interface KnownBrowsersDeps {
  readonly store: Pick<Store, 'initMeta'>;
  readonly clock: Clock;
}

/**
 * Recognises browsers that have signed in before, so that password guessing elsewhere does not lock them out. The
 * cookie grants no access; it only selects a separate attempt counter. All gateways of a store share its key.
 */
export function createKnownBrowsers({ store, clock }: KnownBrowsersDeps): KnownBrowsers {
  let key: string | null = null;

  async function sign(id: string, at: string, username: string): Promise<Buffer> {
    key ??= await store.initMeta(KEY_NAME, randomBytes(32).toString('hex'));
    // Case-insensitive, as the account look-up.
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
