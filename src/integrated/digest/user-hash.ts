import { hash } from 'node:crypto';
import type { EventUser } from '../../domain/event.ts';

const HEX_DIGITS = 24;

/**
 * Stands for the affected person where distinct people are counted: the first of id, username, e-mail
 * and address. The same person in two projects has two hashes; without the salt nobody can test a
 * guess. Null when the event names nobody.
 */
export function userHash(salt: string, projectId: number, user: EventUser | null): string | null {
  const identity = user === null ? null : identityOf(user);
  return identity === null ? null : hash('sha256', `${salt}|${projectId}|${identity}`, 'hex').slice(0, HEX_DIGITS);
}

/** What tells people apart; null: nothing does. */
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
