import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Of a session id: 32 random bytes as base64url. */
const SESSION_ID = /^[A-Za-z0-9_-]{43}$/;

/** A new session id, 256 bits. Only the browser keeps it. */
export function generateSessionId(): string {
  return randomBytes(32).toString('base64url');
}

/** Null for what cannot be a session id of ours; otherwise what is stored instead: lower-case hex SHA-256. */
export function hashSessionId(id: string): string | null {
  return SESSION_ID.test(id) ? createHash('sha256').update(id).digest('hex') : null;
}

/** The token that writes of this session carry; follows from the id, so that it need not be stored, and does not give it away. */
export function csrfTokenOf(sessionId: string): string {
  return createHmac('sha256', sessionId).update('csrf').digest('base64url');
}

/** In constant time. */
export function isCsrfTokenOf(sessionId: string, token: string): boolean {
  const expected = Buffer.from(csrfTokenOf(sessionId));
  const given = Buffer.from(token);
  return expected.length === given.length && timingSafeEqual(expected, given);
}
