import { randomBytes } from 'node:crypto';

/** Path between the external address and the project id in DSNs. */
const DSN_PATH = '/errortracking/api/v1/projects';

/** Format of public keys: browser SDKs reject anything else. */
export const PUBLIC_KEY_PATTERN = /^\w{1,255}$/;

/** Format of an alias: the id of a project in the DSNs of another tracker. */
const DSN_ID_PATTERN = /^[\w-]{1,64}$/;

/**
 * Reads the id of a project in an address: its own number or one of its aliases. Removes leading zeros of a number.
 * Returns null for a text that no project can have: not 1 to 64 letters, digits, `_` or `-`.
 */
export function readDsnId(text: string): string | null {
  const id = /^0+\d+$/.test(text) ? text.replace(/^0+(?=\d)/, '') : text;
  return DSN_ID_PATTERN.test(id) ? id : null;
}

/** Generates a public key: `glet_` and 32 lower-case hex digits. */
export function generatePublicKey(): string {
  return `glet_${randomBytes(16).toString('hex')}`;
}

/**
 * Builds the DSN of a client key. It has no trailing slash, no query and a decimal id, because several SDKs reject
 * other forms. `externalUrl` may have a sub-path and has no trailing slash.
 */
export function buildDsn(externalUrl: string, publicKey: string, projectId: number): string {
  const url = new URL(externalUrl);
  const base = url.pathname.replace(/\/+$/, '');
  return `${url.protocol}//${publicKey}@${url.host}${base}${DSN_PATH}/${projectId}`;
}
