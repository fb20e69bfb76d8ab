import { createHash, randomBytes } from 'node:crypto';

/** Creates a personal access token: `glpat-` and 32 URL-safe characters (24 random bytes). Shown once, never stored. */
export function generateAccessToken(): string {
  return `glpat-${randomBytes(24).toString('base64url')}`;
}

/**
 * Returns the lower-case hex SHA-256 of a token, which is stored and looked up instead. Tokens are random, so no salt
 * is needed.
 */
export function hashAccessToken(token: string): string {
  return createHash('sha256').update(token, 'utf8').digest('hex');
}
