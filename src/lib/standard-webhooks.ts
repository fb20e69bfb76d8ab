import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const PREFIX = 'whsec_';
const NEW_SECRET_BYTES = 32;
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;
/** Seconds by which the time of a received message may differ from the clock here, as the specification advises. */
export const TOLERANCE_SECONDS = 300;
/** Signatures of a received message that are looked at; senders add one per secret. */
const MAX_SIGNATURES = 10;

/** Makes a signing secret of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(NEW_SECRET_BYTES).toString('base64');
}

/** Returns the bytes of a signing secret; null unless it is `whsec_` and 24 to 64 bytes in base64. */
export function parseWebhookSecret(text: string): Buffer | null {
  if (!text.startsWith(PREFIX)) return null;
  const encoded = text.slice(PREFIX.length);
  const bytes = Buffer.from(encoded, 'base64');
  const isBase64 = bytes.toString('base64').replace(/=+$/, '') === encoded.replace(/=+$/, '');
  return isBase64 && bytes.length >= MIN_SECRET_BYTES && bytes.length <= MAX_SECRET_BYTES ? bytes : null;
}

/** Message to sign; `seconds` since the epoch is the time of the attempt. */
export interface SignedMessage {
  readonly id: string;
  readonly seconds: number;
  readonly body: string | Uint8Array;
}

/** Returns the signature of a message. Throws a RangeError for a malformed secret. */
function signatureOf({ id, seconds, body }: SignedMessage, secret: string): string {
  const key = parseWebhookSecret(secret);
  if (key === null) throw new RangeError('the signing secret is malformed');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.`).update(body).digest('base64')}`;
}

/**
 * Returns the headers of Standard Webhooks, signed with each secret, so that a receiver may change to a new one. Throws
 * a RangeError for a malformed secret.
 */
export function webhookHeaders(message: SignedMessage, secrets: readonly string[]): Record<string, string> {
  const signatures = secrets.map((secret) => signatureOf(message, secret));
  const { id, seconds } = message;
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signatures.join(' ') };
}

/**
 * True for a received message that was signed with the secret, at most TOLERANCE_SECONDS from now. `signatures`: the
 * header, of which one must fit; its time does not depend on where they differ. Throws as `webhookHeaders`.
 */
export function isSignedMessage(message: SignedMessage, signatures: string, secret: string, nowMs: number): boolean {
  if (message.id === '' || Math.abs(message.seconds - nowMs / 1000) > TOLERANCE_SECONDS) return false;
  const expected = Buffer.from(signatureOf(message, secret));
  const given = signatures.split(' ', MAX_SIGNATURES).map((one) => Buffer.from(one));
  return given.filter((one) => one.length === expected.length && timingSafeEqual(one, expected)).length > 0;
}
