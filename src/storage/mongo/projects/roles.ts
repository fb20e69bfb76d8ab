import type { AccessLevel } from '../../../domain/projects/account.ts';
import { rolePathsOf } from '../../../domain/projects/group-paths.ts';
import { highest, inheritedLevel, type GroupMember, type GroupRole } from '../../../domain/projects/group.ts';
import type { Member, Project } from '../../../domain/projects/project.ts';
import { membersOfRoles, type GivenRole } from '../../state/members.ts';
import { memberKey } from '../documents/command-documents.ts';
import type { MongoContext } from '../engine/context.ts';
import { reading } from '../engine/operation-options.ts';
import { PROJECT, toProject } from './project-views.ts';

export interface ProjectAndUser {
  readonly projectId: number;
  readonly userId: number;
}

/** Reads the roles of a user in groups, also by groups of an identity provider. A user without any costs two queries. */
export async function groupRoles(context: MongoContext, userId: number): Promise<GroupRole[]> {
  return (await rolesOfUsers(context, [userId])).get(userId) ?? [];
}

async function rolesOfUsers(
  { collections }: MongoContext,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, GroupRole[]>> {
  const filter = { userId: { $in: [...userIds] } };
  const [rows, granted] = await Promise.all([
    collections.groupMembers
      .find(filter, reading('group_members.of_users', { userId: 1, groupId: 1, level: 1 }))
      .toArray(),
    collections.grantedRoles
      .find(filter, reading('granted_roles.of_users', { userId: 1, path: 1, level: 1 }))
      .toArray(),
  ]);
  const roles = new Map<number, GroupRole[]>();
  const add = (userId: number, role: GroupRole) => roles.set(userId, [...(roles.get(userId) ?? []), role]);
  for (const { userId, path, level } of granted) add(userId, { path, movedFrom: null, level });
  if (rows.length === 0) return roles;
  const ids = [...new Set(rows.map(({ groupId }) => groupId))];
  const groups = await collections.groups
    .find({ _id: { $in: ids } }, reading('groups.paths', { path: 1, movedFrom: 1 }))
    .toArray();
  const places = new Map(groups.map(({ _id, path, movedFrom }) => [_id, { path, movedFrom }]));
  for (const { userId, groupId, level } of rows) {
    const place = places.get(groupId);
    if (place !== undefined) add(userId, { ...place, level });
  }
  return roles;
}

/** Returns the role of a user in a project. `rolesOf` may know roles in groups already. */
export async function accessLevel(
  context: MongoContext,
  projectId: number,
  userId: number,
  rolesOf = groupRoles,
): Promise<AccessLevel | null> {
  const { collections } = context;
  const _id = memberKey(projectId, userId);
  const [found, roles] = await Promise.all([
    collections.members.findOne({ _id }, reading('members.level', { accessLevel: 1 })),
    rolesOf(context, userId),
  ]);
  const own = found?.accessLevel ?? null;
  if (roles.length === 0) return own;
  const [project] = await pathsOf(context, [projectId]);
  return project === undefined ? null : highest([own, inheritedLevel(roles, project.path)]);
}

/** Returns the roles of users in projects, by `memberKey`; a pair without a role is missing. */
export async function levelsOf(
  context: MongoContext,
  pairs: readonly ProjectAndUser[],
): Promise<ReadonlyMap<string, AccessLevel>> {
  const keys = new Set(pairs.map(({ projectId, userId }) => memberKey(projectId, userId)));
  if (keys.size === 0) return new Map();
  const [own, roles] = await Promise.all([
    context.collections.members
      .find({ _id: { $in: [...keys] } }, reading('members.levels', { accessLevel: 1 }))
      .batchSize(keys.size)
      .toArray(),
    rolesOfUsers(context, [...new Set(pairs.map(({ userId }) => userId))]),
  ]);
  const levels = new Map(own.map(({ _id, accessLevel: level }) => [_id, level]));
  const inheriting = pairs.filter(({ userId }) => roles.has(userId));
  if (inheriting.length === 0) return levels;
  const projects = await pathsOf(context, [...new Set(inheriting.map(({ projectId }) => projectId))]);
  const paths = new Map(projects.map(({ _id, path }) => [_id, path]));
  for (const { projectId, userId } of inheriting) {
    const path = paths.get(projectId);
    const key = memberKey(projectId, userId);
    const inherited = path === undefined ? null : inheritedLevel(roles.get(userId) ?? [], path);
    const level = highest([levels.get(key) ?? null, inherited]);
    if (level !== null) levels.set(key, level);
  }
  return levels;
}

function pathsOf({ collections }: MongoContext, projectIds: readonly number[]) {
  return collections.projects
    .find({ _id: { $in: [...projectIds] } }, reading('projects.paths', { path: 1 }))
    .batchSize(projectIds.length)
    .toArray();
}

export async function listMembers(context: MongoContext, projectId: number): Promise<Member[]> {
  const [own, [project]] = await Promise.all([
    context.collections.members.find({ projectId }, reading('members.list')).toArray(),
    pathsOf(context, [projectId]),
  ]);
  if (project === undefined) return [];
  const { path } = project;
  const given = own.map(({ userId, accessLevel: level }) => ({
    userId,
    origin: { kind: 'project' as const, path, accessLevel: level },
  }));
  const inherited = await inheritedRoles(context, path);
  return (await withUsers(context, [...given, ...inherited])).map((member) => ({ ...member, projectId }));
}

export async function listGroupMembers(context: MongoContext, path: string): Promise<GroupMember[]> {
  return withUsers(context, await inheritedRoles(context, path));
}

async function inheritedRoles(context: MongoContext, path: string): Promise<GivenRole[]> {
  const paths = rolePathsOf(path);
  return (await Promise.all([grantedRolesOn(context, paths), rolesInGroups(context, paths)])).flat();
}

/** Returns the roles that groups of an identity provider give on some paths, in lower case. */
async function grantedRolesOn({ collections }: MongoContext, paths: readonly string[]): Promise<GivenRole[]> {
  const rows = await collections.grantedRoles
    .find({ path: { $in: [...paths] } }, reading('granted_roles.on_paths', { userId: 1, path: 1, level: 1 }))
    .toArray();
  return rows.map(({ userId, path, level }) => ({
    userId,
    origin: { kind: 'identity_provider', path, accessLevel: level },
  }));
}

/** Returns the memberships of the groups at some paths, in lower case, also of those that are being moved away. */
async function rolesInGroups({ collections }: MongoContext, paths: readonly string[]): Promise<GivenRole[]> {
  const [there, moved] = await Promise.all([
    collections.groups.find({ lower: { $in: [...paths] } }, reading('groups.by_paths', { path: 1 })).toArray(),
    collections.groups.find({ movedFrom: { $in: [...paths] } }, reading('groups.moved', { path: 1 })).toArray(),
  ]);
  const groups = new Map([...there, ...moved].map(({ _id, path }) => [_id, path]));
  if (groups.size === 0) return [];
  const rows = await collections.groupMembers
    .find({ groupId: { $in: [...groups.keys()] } }, reading('group_members.of_groups'))
    .toArray();
  return rows.map(({ groupId, userId, level }) => ({
    userId,
    origin: { kind: 'group', path: groups.get(groupId) ?? '', accessLevel: level },
  }));
}

async function withUsers({ collections }: MongoContext, roles: readonly GivenRole[]): Promise<GroupMember[]> {
  if (roles.length === 0) return [];
  const ids = [...new Set(roles.map(({ userId }) => userId))];
  const users = await collections.users
    .find({ _id: { $in: ids } }, reading('members.names', { username: 1, name: 1, blocked: 1 }))
    .toArray();
  return membersOfRoles(
    roles,
    users.map(({ _id: id, username, name, blocked }) => ({ id, username, name, blocked })),
  );
}

export async function projectsOfUser(context: MongoContext, userId: number): Promise<Project[]> {
  const { collections } = context;
  const [own, roles] = await Promise.all([
    collections.members.find({ userId }, reading('members.of_user', { projectId: 1 })).toArray(),
    groupRoles(context, userId),
  ]);
  const ids = own.map(({ projectId }) => projectId);
  const groups = roles.flatMap(({ path, movedFrom }) => (movedFrom === null ? [path] : [path, movedFrom]));
  // A role by an identity provider may name a project.
  const at = { lower: { $in: groups.map((path) => path.toLowerCase()) } };
  const filter = { $or: [{ _id: { $in: ids } }, at, ...groups.map(belowFilter)] };
  const projects = await collections.projects
    .find(groups.length === 0 ? { _id: { $in: ids } } : filter, reading('projects.of_user', PROJECT))
    .toArray();
  return projects.map(toProject).sort((a, b) => a.id - b.id);
}

export async function projectsBelow({ collections }: MongoContext, path: string): Promise<Project[]> {
  const rows = await collections.projects.find(belowFilter(path), reading('projects.below', PROJECT)).toArray();
  return rows.map(toProject).sort((a, b) => a.id - b.id);
}

/** Returns the ids of the project at a path and of those below: a role at the path holds in all of them. */
export async function projectIdsAt({ collections }: MongoContext, path: string): Promise<number[]> {
  const filter = { $or: [{ lower: path.toLowerCase() }, belowFilter(path)] };
  const rows = await collections.projects.find(filter, reading('projects.ids_at', { _id: 1 })).toArray();
  return rows.map(({ _id }) => _id);
}

/** Returns the filter of groups or projects below a path. */
export function belowFilter(path: string) {
  const lower = path.toLowerCase();
  // `0` is the character after `/`.
  return { lower: { $gt: `${lower}/`, $lt: `${lower}0` } };
}
