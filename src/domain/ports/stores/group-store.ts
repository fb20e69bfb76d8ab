import type { AccessLevel } from '../../projects/account.ts';
import type { Group, GroupMember, GroupPatch, GroupPlace, GroupRole, NewGroup } from '../../projects/group.ts';
import type { Project } from '../../projects/project.ts';

/** Groups of projects and their members. Paths are case-insensitive. */
export interface GroupStore {
  /** Throws `conflict` when another group has the path. */
  createGroup(group: NewGroup): Promise<Group>;
  groupById(id: number): Promise<Group | null>;
  /** Null also for a group that has projects but was never made. */
  groupByPath(path: string): Promise<Group | null>;
  /** Groups that were made, by id. */
  listGroups(): Promise<Group[]>;
  /** Null when there is no such group. */
  updateGroup(id: number, patch: GroupPatch): Promise<Group | null>;
  /**
   * Gives a group another path, and with it all groups and projects below; projects keep their former paths as
   * redirects. People lose what only members have where they have no role any more. Null when there is no such group.
   * Throws `conflict` when the new path is in use, or below the group itself; nothing has changed then. What was made
   * below the new path during the move stays as it is, and so does what it is in the way of.
   */
  moveGroup(id: number, to: GroupPlace): Promise<Group | null>;
  /** False when there is none. Throws `conflict` while it has projects or groups. */
  deleteGroup(id: number): Promise<boolean>;

  /** Throws `conflict` when the user is the last owner and would have a lower role, or is in too many groups. */
  setGroupMember(groupId: number, userId: number, level: AccessLevel): Promise<void>;
  /** False when the user has no membership of the group itself. Throws `conflict` for its last owner. */
  removeGroupMember(groupId: number, userId: number): Promise<boolean>;
  /** Members of the group at a path and of the groups above, by user id. */
  listGroupMembers(path: string): Promise<GroupMember[]>;
  /** Roles of a user in groups. */
  groupRoles(userId: number): Promise<GroupRole[]>;
  /** Projects below the group at a path, at any depth, by id. */
  projectsBelow(path: string): Promise<Project[]>;
}
