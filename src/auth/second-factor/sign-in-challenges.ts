import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../domain/ports/clock.ts';
import type { Store } from '../../domain/ports/stores/store.ts';

/** Milliseconds between the right password and the code. */
export const CHALLENGE_MS = 5 * 60_000;

/** Form of a challenge: user id, epoch of the sessions, end in base 36, HMAC-SHA256 over all three. */
const FORM = /^([1-9]\d{0,14})\.(\d{1,15})\.([0-9a-z]{1,11})\.([A-Za-z0-9_-]{43})$/;
const KEY_NAME = 'sign_in_challenge_key';

/** Person whose password was right. */
export interface Challenged {
  readonly userId: number;
  /** Epoch of the credentials before the password check. */
  readonly epoch: number;
}

/** What a browser holds between the right password and the code: it is no session. All gateways of a store share its key. */
export interface SignInChallenges {
  issue(challenged: Challenged): Promise<string>;
  /** Null for a text of any other origin, and after `CHALLENGE_MS`. */
  read(challenge: string): Promise<Challenged | null>;
}

export interface SignInChallengesDeps {
  readonly store: Pick<Store, 'initMeta'>;
  readonly clock: Clock;
}

export function createSignInChallenges({ store, clock }: SignInChallengesDeps): SignInChallenges {
  let key: string | null = null;

  async function sign(signed: string): Promise<Buffer> {
    key ??= await store.initMeta(KEY_NAME, randomBytes(32).toString('hex'));
    return createHmac('sha256', Buffer.from(key, 'hex')).update(signed).digest();
  }

  return {
    async issue({ userId, epoch }) {
      const signed = `${userId}.${epoch}.${(clock.now() + CHALLENGE_MS).toString(36)}`;
      return `${signed}.${(await sign(signed)).toString('base64url')}`;
    },
    async read(challenge) {
      const [, userId, epoch, end, signature] = FORM.exec(challenge) ?? [];
      if (userId === undefined || epoch === undefined || end === undefined || signature === undefined) return null;
      const given = Buffer.from(signature, 'base64url');
      const expected = await sign(`${userId}.${epoch}.${end}`);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
      if (clock.now() >= Number.parseInt(end, 36)) return null;
      return { userId: Number(userId), epoch: Number(epoch) };
    },
  };
}
