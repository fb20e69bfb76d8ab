import { hash } from 'node:crypto';

const HEX_DIGITS = 24;

/** Kinds of what identifies a user of an event, in the order in which one is chosen. */
export const IDENTITIES = ['id', 'username', 'email', 'ip'] as const;

/**
 * Returns the hash under which an affected user is counted, 24 hex digits. `identity`: kind and value, `id:42`. One user
 * has different hashes in two projects. Without the salt a guess cannot be verified.
 */
export function hashOfIdentity(salt: string, projectId: number, identity: string): string {
  return hash('sha256', `${salt}|${projectId}|${identity}`, 'hex').slice(0, HEX_DIGITS);
}

/**
 * Returns the hash of a name of an affected user, in any case, 24 hex digits. A name is an e-mail address, user name or
 * IP address beside what identifies the user.
 */
export function hashOfName(salt: string, projectId: number, name: string): string {
  return hashOfIdentity(salt, projectId, `name:${name.trim().toLowerCase()}`);
}
