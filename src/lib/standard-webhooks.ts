import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const NEW_SECRET_BYTES = 32;
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;

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
  readonly body: string;
}

/**
 * Returns the headers of Standard Webhooks, signed with each secret, so that a receiver may change to a new one. Throws
 * a RangeError for a malformed secret.
 */
export function webhookHeaders(message: SignedMessage, secrets: readonly string[]): Record<string, string> {
  const { id, seconds, body } = message;
  const signatures = secrets.map((secret) => {
    const key = parseWebhookSecret(secret);
    if (key === null) throw new RangeError('the signing secret is malformed');
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signatures.join(' ') };
}
