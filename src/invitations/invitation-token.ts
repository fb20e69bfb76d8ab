import { createHash, randomBytes } from 'node:crypto';

/** Form of a token: 32 random bytes as base64url. */
const TOKEN = /^[\w-]{43}$/;

/** Returns a new token of a link, 256 random bits. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the lower-case hex SHA-256 of a token, which is stored instead. Null for text of another form. */
export function hashToken(token: string): string | null {
  return TOKEN.test(token) ? createHash('sha256').update(token).digest('hex') : null;
}
