import { effectiveLevel } from '../auth/policy.ts';
import type { AuditEntity } from '../domain/audit/audit-event.ts';
import { ACCESS_LEVELS, type AccessLevel, type User } from '../domain/projects/account.ts';
import { directMembers, inheritedLevel } from '../domain/projects/group.ts';
import type { Invitation, InvitationPlace } from '../domain/projects/invitation.ts';
import type { Store } from '../domain/ports/stores/store.ts';

type PlaceStore = Pick<
  Store,
  | 'projectById'
  | 'groupById'
  | 'accessLevel'
  | 'groupRoles'
  | 'userById'
  | 'listMembers'
  | 'listGroupMembers'
  | 'setMember'
  | 'setGroupMember'
>;

/** Returns the project or the group of a place, as it is now; null: it was removed. */
export async function entityOfPlace(
  store: PlaceStore,
  { projectId, groupId }: InvitationPlace,
): Promise<AuditEntity | null> {
  if (projectId !== null) {
    const project = await store.projectById(projectId);
    return project === null ? null : { type: 'Project', id: projectId, path: project.path };
  }
  const group = groupId === null ? null : await store.groupById(groupId);
  return group === null ? null : { type: 'Group', id: groupId, path: group.path };
}

/** True when who invited may still give the role. An operator always may. */
export async function mayStillGive(store: PlaceStore, invitation: Invitation, path: string): Promise<boolean> {
  const { invitedBy, projectId, accessLevel } = invitation;
  if (invitedBy === null) return true;
  const user = await store.userById(invitedBy);
  if (user === null || user.blocked) return false;
  const level =
    projectId === null
      ? inheritedLevel(await store.groupRoles(user.id), path)
      : await store.accessLevel(projectId, user.id);
  // As `manage_members` and `manage_group_members` of the policy.
  const needed = projectId === null ? ACCESS_LEVELS.owner : ACCESS_LEVELS.maintainer;
  return effectiveLevel({ user }, level) >= Math.max(needed, accessLevel);
}

/** Returns the role that a user has by a membership of the project or the group itself; 0: none. */
export async function ownLevel(
  store: PlaceStore,
  { projectId }: InvitationPlace,
  path: string,
  userId: number,
): Promise<number> {
  const members = projectId === null ? await store.listGroupMembers(path) : await store.listMembers(projectId);
  return (
    directMembers(members, projectId === null ? 'group' : 'project', path).find((member) => member.userId === userId)
      ?.accessLevel ?? 0
  );
}

/** True for people who invited themselves: a role by a group would outlast their membership. Administrators may. */
export function isOwnInvitation(by: Pick<User, 'id' | 'admin'> | null, userId: number): boolean {
  return by !== null && !by.admin && by.id === userId;
}

/** Gives a role of the project or the group itself, or leaves a higher one. */
export async function giveRole(
  store: PlaceStore,
  place: InvitationPlace,
  path: string,
  userId: number,
  level: AccessLevel,
): Promise<void> {
  if ((await ownLevel(store, place, path, userId)) >= level) return;
  const { projectId, groupId } = place;
  if (projectId !== null) await store.setMember(projectId, userId, level);
  else if (groupId !== null) await store.setGroupMember(groupId, userId, level);
}
