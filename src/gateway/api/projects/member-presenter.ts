import type { Member } from '../../../domain/project.ts';

export function presentMember({ userId, username, name, blocked, accessLevel }: Member) {
  return { id: userId, username, name, state: blocked ? 'blocked' : 'active', access_level: accessLevel };
}
