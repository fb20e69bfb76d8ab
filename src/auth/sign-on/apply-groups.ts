import type { Store } from '../../domain/ports/stores/store.ts';
import { ACCESS_LEVELS, isLastAdministrator, type User } from '../../domain/projects/account.ts';
import type { GrantedRole, Identity } from '../../domain/projects/identity.ts';
import type { Logger } from '../../observability/logger.ts';
import { isInGroup, rolesOf } from './group-roles.ts';
import type { RoleLog } from './role-log.ts';
import type { SignOnSettings } from './sign-on-settings.ts';

export type GroupsStore = Pick<
  Store,
  | 'grantedRoles'
  | 'replaceGrantedRoles'
  | 'projectByPath'
  | 'listMembers'
  | 'listGroupMembers'
  | 'listUsers'
  | 'updateUser'
  | 'updateIdentity'
  | 'identitiesOfUser'
>;

interface GroupsDeps {
  readonly settings: Pick<SignOnSettings, 'adminGroup' | 'groupRoles'>;
  readonly store: GroupsStore;
  readonly logger: Logger;
  readonly roleLog: RoleLog;
}

interface Member {
  readonly user: User;
  readonly identity: Identity;
  /** Null: the provider does not say, so everything stays. */
  readonly groups: readonly string[] | null;
}

/**
 * Gives a person the roles of their groups, and takes away those that no group gives any more. Returns whether the
 * person is an administrator. The last owner of a path and the last administrator stay.
 */
export async function applyGroups(deps: GroupsDeps, { user, identity, groups }: Member): Promise<boolean> {
  if (groups === null) return user.admin;
  const { settings, store } = deps;
  const before = await store.grantedRoles(user.id);
  const wanted = rolesOf(groups, settings.groupRoles);
  const roles = [...wanted, ...(await lastOwnerRoles(deps, before, wanted))];
  // A path may be in both: the role of an owner is the highest.
  const byPath = new Map(roles.map((role) => [role.path, role]));
  const after = [...byPath.values()].map(({ path, level }) => ({ path, level }));
  await writeChanges(deps.roleLog, user, before, after);
  await store.replaceGrantedRoles(user.id, after);
  return applyAdmin(deps, { user, identity }, settings.adminGroup !== null && isInGroup(groups, settings.adminGroup));
}

/** Returns the roles of an owner that end, on paths that would have no owner then. */
async function lastOwnerRoles(
  { store, logger }: GroupsDeps,
  before: readonly GrantedRole[],
  wanted: readonly Omit<GrantedRole, 'userId'>[],
): Promise<GrantedRole[]> {
  const { owner } = ACCESS_LEVELS;
  const ending = before.filter(
    ({ path, level }) => level === owner && !wanted.some((role) => role.path === path && role.level === owner),
  );
  const kept: GrantedRole[] = [];
  for (const role of ending) {
    if (await hasOtherOwner(store, role)) continue;
    logger.warn(
      { user_id: role.userId, path: role.path },
      'the last owner keeps the role that no group gives any more',
    );
    kept.push(role);
  }
  return kept;
}

/** True when a path has another owner, or the person is one by a membership as well. */
async function hasOtherOwner(store: GroupsStore, { userId, path }: GrantedRole): Promise<boolean> {
  const found = await store.projectByPath(path);
  const isProject = found !== null && !found.moved;
  const members = isProject ? await store.listMembers(found.project.id) : await store.listGroupMembers(path);
  const owners = members.flatMap((member) =>
    member.blocked ? [] : member.origins.map(({ kind, accessLevel }) => ({ id: member.userId, kind, accessLevel })),
  );
  return owners.some(
    ({ id, kind, accessLevel }) =>
      accessLevel === ACCESS_LEVELS.owner && (id !== userId || kind !== 'identity_provider'),
  );
}

/** Makes a member of the group an administrator, or ends that. One who was made by hand stays one. */
async function applyAdmin(
  { store, logger, roleLog }: GroupsDeps,
  { user, identity }: Pick<Member, 'user' | 'identity'>,
  isMember: boolean,
): Promise<boolean> {
  if (isMember && user.admin) return true;
  // All accounts of the person: a former provider may have given what no group of this one gives.
  const byGroup = (await store.identitiesOfUser(user.id)).filter(({ admin }) => admin);
  if (!isMember && byGroup.length === 0) return user.admin;
  if (!isMember && isLastAdministrator(user, await store.listUsers())) {
    logger.warn({ user_id: user.id }, 'the last administrator stays one, although no group says so any more');
    return true;
  }
  await roleLog({ user, path: null, before: isMember ? null : 1, after: isMember ? 1 : null });
  await store.updateUser(user.id, { admin: isMember });
  const changed = isMember ? [identity] : byGroup;
  for (const { id } of changed) await store.updateIdentity(id, { admin: isMember });
  return isMember;
}

async function writeChanges(
  roleLog: RoleLog,
  user: User,
  before: readonly GrantedRole[],
  after: readonly Omit<GrantedRole, 'userId'>[],
): Promise<void> {
  const levelOf = (roles: readonly Omit<GrantedRole, 'userId'>[], path: string) =>
    roles.find((role) => role.path === path)?.level ?? null;
  for (const path of new Set([...before, ...after].map((role) => role.path))) {
    const [was, is] = [levelOf(before, path), levelOf(after, path)];
    if (was !== is) await roleLog({ user, path, before: was, after: is });
  }
}
