import type { EventUser } from '../../domain/events/event.ts';
import { hashOfIdentity } from '../../lib/user-hash.ts';

/**
 * Returns a hash that stands for the affected user in counts. It is made from the first of id, username, e-mail and
 * address. Null when the event names no user.
 */
export function userHash(salt: string, projectId: number, user: EventUser | null): string | null {
  const identity = user === null ? null : identityOf(user);
  return identity === null ? null : hashOfIdentity(salt, projectId, identity);
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

const NO_NAMES: readonly string[] = [];

/**
 * Returns the names by which a search finds the user beside its identity: user name, e-mail and IP address, as far as
 * they are not what identifies it.
 */
export function userNames(user: EventUser | null): readonly string[] {
  if (user === null) return NO_NAMES;
  const { id, username, email, ip_address: ip } = user;
  if (id === null && ((username === null && email === null) || (email === null && ip === null))) return NO_NAMES;
  const names = id === null ? [] : [username];
  if (id !== null || username !== null) names.push(email);
  names.push(ip);
  return names.filter((name) => name !== null);
}
