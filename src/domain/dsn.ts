import { randomBytes } from 'node:crypto';

/** Path between the external address and the project id in DSNs. */
const DSN_PATH = '/errortracking/api/v1/projects';

/** Format of public keys: browser SDKs reject anything else. */
export const PUBLIC_KEY_PATTERN = /^\w{1,255}$/;

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
