import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { AppError } from '../domain/app-error.ts';
import { UNSUBSCRIBE_PATH, type UnsubscribeLinks, type UnsubscribeScope } from '../domain/ports/unsubscribe-links.ts';

export interface UnsubscribeLinkSettings {
  /** Called for each link: the address may be known only once the service listens. */
  readonly externalUrl: () => string;
  /** Secret keys; the first one signs, all are accepted. Called for each link, because keys may change. */
  readonly keys: () => readonly { readonly bytes: Uint8Array }[];
}

/** Form of a token: user id, project id unless it is about all, and the signature in base64url. */
const FORM = /^([1-9]\d{0,14})(?:-([1-9]\d{0,14}))?\.([\w-]{22})$/;
const SIGNATURE_BYTES = 16;

function signature({ userId, projectId }: UnsubscribeScope, secret: Uint8Array): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'errgate unsubscribe links', 32));
  const signed = projectId === null ? `mail of user ${userId}` : `mail of user ${userId} about project ${projectId}`;
  return createHmac('sha256', key).update(signed).digest().subarray(0, SIGNATURE_BYTES);
}

/** Creates the links. `linkFor` throws `invalid_configuration` without a secret key. */
export function createUnsubscribeLinks({ externalUrl, keys }: UnsubscribeLinkSettings): UnsubscribeLinks {
  return {
    linkFor(scope) {
      const [key] = keys();
      if (key === undefined) {
        throw new AppError('invalid_configuration', 'links in mails need a secret key: set ERRGATE_SECRET_KEY');
      }
      const { userId, projectId } = scope;
      const named = projectId === null ? String(userId) : `${userId}-${projectId}`;
      return `${externalUrl()}${UNSUBSCRIBE_PATH}?token=${named}.${signature(scope, key.bytes).toString('base64url')}`;
    },
    scopeOf(token) {
      const [, user, project, given] = FORM.exec(token) ?? [];
      if (user === undefined || given === undefined) return null;
      const scope = { userId: Number(user), projectId: project === undefined ? null : Number(project) };
      const bytes = Buffer.from(given, 'base64url');
      return keys().some((key) => timingSafeEqual(bytes, signature(scope, key.bytes))) ? scope : null;
    },
  };
}
