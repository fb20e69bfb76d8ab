import { highest, type GroupMember, type RoleOrigin } from '../../domain/projects/group.ts';

/** Role that a user has by one membership. */
export interface GivenRole {
  readonly userId: number;
  readonly origin: RoleOrigin;
}

/** What a list of members says of a user. */
export interface MemberUser {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly blocked: boolean;
}

/** Joins the roles of each user to one member, by user id. Users that are gone are left out. */
export function membersOfRoles(roles: readonly GivenRole[], users: readonly MemberUser[]): GroupMember[] {
  const byUser = new Map<number, RoleOrigin[]>();
  for (const { userId, origin } of roles) byUser.set(userId, [...(byUser.get(userId) ?? []), origin]);
  const sorted = [...users].sort((a, b) => a.id - b.id);
  return sorted.flatMap(({ id: userId, username, name, blocked }) => {
    const origins = (byUser.get(userId) ?? []).sort(byLevel);
    const accessLevel = highest(origins.map((origin) => origin.accessLevel));
    return accessLevel === null ? [] : [{ userId, username, name, blocked, accessLevel, origins }];
  });
}

/** Orders by the highest level, then by the longest path: what is nearest. */
function byLevel(a: RoleOrigin, b: RoleOrigin): number {
  return b.accessLevel - a.accessLevel || b.path.length - a.path.length;
}

type Held = Pick<GroupMember, 'userId' | 'accessLevel'>;

/** Returns the users whose highest role became lower, or ended. */
export function loweredUsers(before: readonly Held[], after: readonly Held[]): number[] {
  const levels = new Map(after.map(({ userId, accessLevel }) => [userId, accessLevel]));
  return before
    .filter(({ userId, accessLevel }) => (levels.get(userId) ?? 0) < accessLevel)
    .map(({ userId }) => userId);
}
