import { hash } from 'node:crypto';
import type { EventUser } from '../../domain/event.ts';

const HEX_DIGITS = 24;

/**
 * Returns a hash that stands for the affected user in counts. It is made from the first of id, username, e-mail and
 * address. One user has different hashes in two projects. Without the salt a guess cannot be verified. Null when the
 * event names no user.
 */
export function userHash(salt: string, projectId: number, user: EventUser | null): string | null {
  const identity = user === null ? null : identityOf(user);
  return identity === null ? null : hash('sha256', `${salt}|${projectId}|${identity}`, 'hex').slice(0, HEX_DIGITS);
}

/** Returns what identifies a user: the first of id, username, e-mail and address; null without any of them. */
export function identityOf(user: EventUser): string | null {
  if (user.id !== null) {
    return `id:${user.id}`;
  }
  if (user.username !== null) {
    return `username:${user.username}`;
  }
  if (user.email !== null) {
    return `email:${user.email}`;
  }
  return user.ip_address === null ? null : `ip:${user.ip_address}`;
}
