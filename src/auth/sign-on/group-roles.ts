import { ACCESS_LEVELS, type AccessLevel } from '../../domain/projects/account.ts';
import type { GrantedRole } from '../../domain/projects/identity.ts';
import type { GroupRole } from './sign-on-settings.ts';

type Role = Omit<GrantedRole, 'userId'>;

/** Creates a test for a group: one name, or all that begin so with a `*` at its end. Names have their case. */
function matcher(pattern: string): (groups: ReadonlySet<string>) => boolean {
  if (!pattern.endsWith('*')) return (groups) => groups.has(pattern);
  const beginning = pattern.slice(0, -1);
  return (groups) => [...groups].some((group) => group.startsWith(beginning));
}

/** Returns the roles of a member of these groups; the highest one of each path, whose case does not matter. */
export function rolesOf(groups: readonly string[], rules: readonly GroupRole[]): Role[] {
  const own = new Set(groups);
  const levels = new Map<string, AccessLevel>();
  for (const { group, path, role } of rules) {
    const key = path.toLowerCase();
    const level = ACCESS_LEVELS[role];
    if (level > (levels.get(key) ?? 0) && matcher(group)(own)) levels.set(key, level);
  }
  return [...levels].map(([path, level]) => ({ path, level }));
}

/** True for a member of the group, or of one that begins as it with a `*` at its end. */
export function isInGroup(groups: readonly string[], group: string): boolean {
  return matcher(group)(new Set(groups));
}
