import type { AccessLevel } from './account.ts';
import type { GroupDefaults } from './group-defaults.ts';
import { isSamePath, rolePathsOf } from './group-paths.ts';

/**
 * Group that was made: a path with a name and members. Every other beginning of a project's path is a group as well,
 * without a row of its own.
 */
export interface Group {
  readonly id: number;
  /** Full path, `group/subgroup`; unique and case-insensitive. */
  readonly path: string;
  readonly name: string;
  readonly description: string | null;
  readonly defaults: GroupDefaults;
  readonly createdAt: number;
}

export interface NewGroup {
  readonly path: string;
  readonly name: string;
  readonly description?: string | null;
}

/** Changes of a group; absent members keep their value. */
export interface GroupPatch {
  readonly name?: string;
  readonly description?: string | null;
  readonly defaults?: GroupDefaults;
}

/** Where a group moves to. */
export interface GroupPlace {
  readonly path: string;
  /** Id of the group above, which must still be there when the move begins; null: none, or one that was never made. */
  readonly parentId: number | null;
}

/** Maximum groups in which one user is a direct member. */
export const MAX_GROUPS_OF_USER = 1000;

/** Role that a user has in all projects below a path, and in a project at the path. */
export interface GroupRole {
  readonly path: string;
  /** Path from which the group is being moved: until its end the role holds there as well; null: none. */
  readonly movedFrom: string | null;
  readonly level: AccessLevel;
}

/** Returns the highest of the roles that hold in a project or a group; null: none does. */
export function inheritedLevel(roles: readonly GroupRole[], path: string): AccessLevel | null {
  const paths = new Set(rolePathsOf(path));
  const holds = (group: string) => paths.has(group.toLowerCase());
  return highest(
    roles
      .filter(({ path: group, movedFrom }) => holds(group) || (movedFrom !== null && holds(movedFrom)))
      .map(({ level }) => level),
  );
}

/** Returns the highest level; null: there is none. */
export function highest(levels: readonly (AccessLevel | null)[]): AccessLevel | null {
  return levels.reduce((best, level) => (level !== null && level > (best ?? 0) ? level : best), null);
}

/**
 * Where a role comes from. `group`: a membership of a group, whose `path` is that of the group. `identity_provider`: a
 * group of the provider, whose role holds on `path` and below.
 */
export interface RoleOrigin {
  readonly kind: 'project' | 'group' | 'identity_provider';
  /** Path of the project or of the group. */
  readonly path: string;
  readonly accessLevel: AccessLevel;
}

/** Member of a group, by its own membership or by one of the groups above. */
export interface GroupMember {
  readonly userId: number;
  readonly username: string;
  /** Display name. */
  readonly name: string;
  readonly blocked: boolean;
  /** The highest of all origins. */
  readonly accessLevel: AccessLevel;
  /** At least one; the highest first. */
  readonly origins: readonly RoleOrigin[];
}

/** Returns those with a membership of the project or the group at a path itself, with the role that it gives. */
export function directMembers<M extends GroupMember>(
  members: readonly M[],
  kind: 'project' | 'group',
  path: string,
): M[] {
  return members.flatMap((member) => {
    const own = member.origins.find((origin) => origin.kind === kind && isSamePath(origin.path, path));
    return own === undefined ? [] : [{ ...member, accessLevel: own.accessLevel }];
  });
}
