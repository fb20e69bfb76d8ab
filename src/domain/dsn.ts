import { randomBytes } from 'node:crypto';

/** Path between the external address and the project id in every DSN of ours. */
const DSN_PATH = '/errortracking/api/v1/projects';

/** What a public key may look like: SDKs for browsers refuse anything else. */
export const PUBLIC_KEY_PATTERN = /^\w{1,255}$/;

/** A new public key: `glet_` and 32 lower-case hex digits. */
export function generatePublicKey(): string {
  return `glet_${randomBytes(16).toString('hex')}`;
}

/**
 * The address an SDK is configured with. No trailing slash, no query, decimal id: several SDKs reject
 * anything else. `externalUrl` may carry a sub-path and ends without a slash.
 */
export function buildDsn(externalUrl: string, publicKey: string, projectId: number): string {
  const url = new URL(externalUrl);
  const base = url.pathname.replace(/\/+$/, '');
  return `${url.protocol}//${publicKey}@${url.host}${base}${DSN_PATH}/${projectId}`;
}
