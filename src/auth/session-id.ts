import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Form of a session id: 32 random bytes as base64url. */
const SESSION_ID = /^[A-Za-z0-9_-]{43}$/;

/** Returns a new session id, 256 random bits. Only the browser stores it. */
export function generateSessionId(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the lower-case hex SHA-256 of a session id, which is stored instead. Null for text of another form. */
export function hashSessionId(id: string): string | null {
  return SESSION_ID.test(id) ? createHash('sha256').update(id).digest('hex') : null;
}

/** Digits of the hash that name a session to its user: 64 bits. They say nothing about the id of the session. */
const SHOWN_DIGITS = 16;

/** Returns the name of a session in lists, of its hash. Nobody can use the session by it. */
export function shownSessionId(hash: string): string {
  return hash.slice(0, SHOWN_DIGITS);
}

/**
 * Returns the token that writes of this session must send. It is derived from the id, so that it need not be stored. It
 * does not reveal the id.
 */
export function csrfTokenOf(sessionId: string): string {
  return createHmac('sha256', sessionId).update('csrf').digest('base64url');
}

/** Compares in constant time. */
export function isCsrfTokenOf(sessionId: string, token: string): boolean {
  const expected = Buffer.from(csrfTokenOf(sessionId));
  const given = Buffer.from(token);
  return expected.length === given.length && timingSafeEqual(expected, given);
}
