import type { FromSchema } from 'json-schema-to-ts';
import { AppError } from '../../../domain/app-error.ts';
import { groupPathProblem } from '../../../domain/names.ts';
import { ACCESS_LEVELS } from '../../../domain/projects/account.ts';
import { assertFreeForGroup, assertNoProjectAbove } from '../../../domain/projects/free-paths.ts';
import { groupOfPath, lastPart } from '../../../domain/projects/group-paths.ts';
import { inheritedLevel, type Group } from '../../../domain/projects/group.ts';
import { definedMembers } from '../../../lib/defined-members.ts';
import { problems, problemSchema } from '../../http/common-schema.ts';
import { assertMayMakeIn, findGroup, madeGroup, type FoundGroup } from '../../http/group-lookup.ts';
import { offsetPage } from '../../http/page-links.ts';
import { idOf } from '../../http/path-ids.ts';
import { presenter } from '../../http/presenter.ts';
import {
  accountRoute,
  groupRoute,
  inGroupRoute,
  type AccountCall,
  type GroupCall,
  type Route,
} from '../../http/route.ts';
import type { AccountRouteDeps, GatewayStore } from '../../http/route-deps.ts';
import { acceptedSchema, presentProject, projectsSchema } from '../shared/project-answer.ts';
import { groupOfRequest, newGroup } from './audit-targets.ts';
import {
  createGroupSchema,
  groupProjectsSchema,
  groupSchema,
  groupsSchema,
  listGroupsSchema,
  updateGroupSchema,
} from './group-schema.ts';
import { visibleGroups } from './visible-groups.ts';

const PATH = '/api/v4/groups';
const present = presenter(groupSchema);
const oneGroup = { 200: { description: 'The group', schema: groupSchema }, ...problems };
const conflict = { 409: { description: 'The path is in use, or the group has projects', schema: problemSchema } };

type Call = AccountCall<unknown, Pick<AccountRouteDeps, 'store' | 'externalUrl'>>;

/** Makes the answers about groups, with the caller's roles. `parents`: ids by path in lower case. */
async function presentGroups({ deps, principal }: Call, groups: readonly FoundGroup[], parents: ParentIds) {
  const roles = await deps.store.groupRoles(principal.user.id);
  return groups.map((group) =>
    present({
      ...group,
      path: lastPart(group.path),
      fullPath: group.path,
      fullName: [...(groupOfPath(group.path) ?? '').split('/').filter((part) => part !== ''), group.name].join(' / '),
      visibility: 'private',
      defaultVisibility: group.defaults.visibility,
      defaultErrorTracking: group.defaults.errorTracking,
      defaultAlerts: group.defaults.alerts,
      parentId: parents.get(groupOfPath(group.path)?.toLowerCase() ?? '') ?? null,
      webUrl: `${deps.externalUrl()}/-/groups/${group.path}`,
      accessLevel: inheritedLevel(roles, group.path),
    }),
  );
}

type ParentIds = ReadonlyMap<string, number | null>;

async function presentGroup(call: Call, group: FoundGroup) {
  const parentPath = groupOfPath(group.path);
  const parent = parentPath === null ? null : await call.deps.store.groupByPath(parentPath);
  const parents: ParentIds = new Map(parent === null ? [] : [[parent.path.toLowerCase(), parent.id]]);
  return (await presentGroups(call, [group], parents))[0];
}

function assertGoodPath(path: string): void {
  const problem = groupPathProblem(path);
  if (problem !== null) throw new AppError('invalid_parameter', `path is invalid: ${problem}`);
}

/** Returns the group above a new one, whose parameters are not validated yet. */
function parentOf(given: Readonly<Record<string, unknown>>): string | number | null {
  const { parent_id: id, parent_path: path } = given;
  if (id !== undefined) return typeof id === 'number' || typeof id === 'string' ? idOf(String(id)) : null;
  return typeof path === 'string' && path !== '' ? path : null;
}

/** Returns the path of a new group. Throws `group_not_found` for an unknown id of the group above. */
async function newPath(
  store: Pick<GatewayStore, 'groupById'>,
  { path, parent_id: id, parent_path: parentPath }: FromSchema<typeof createGroupSchema>,
): Promise<string> {
  const parent = id === undefined ? null : await store.groupById(id);
  if (id !== undefined && parent === null) throw new AppError('group_not_found', `there is no group with the id ${id}`);
  return joined(parent?.path ?? parentPath ?? '', path);
}

const joined = (parent: string, last: string): string => (parent === '' ? last : `${parent}/${last}`);

/** Moves a group. The caller owns it, and may make groups in the new one. */
async function move(call: GroupCall<unknown>, group: Group, path: string): Promise<Group | null> {
  const { deps, principal } = call;
  assertGoodPath(path);
  const parentPath = groupOfPath(path);
  const parent = parentPath === null ? null : await findGroup(deps.store, parentPath);
  if (parentPath?.toLowerCase() !== groupOfPath(group.path)?.toLowerCase()) {
    await assertMayMakeIn(deps.store, principal, 'create_group', parentPath);
  }
  await assertNoProjectAbove(deps.store, path, group.path);
  return deps.store.moveGroup(group.id, { path, parentId: parent?.id ?? null });
}

export const groupRoutes: readonly Route[] = [
  accountRoute({
    method: 'GET',
    path: PATH,
    operationId: 'listGroups',
    summary: 'List the groups of your roles and projects (administrators: all groups), paged by page and per_page',
    action: 'read_self',
    parameters: listGroupsSchema,
    pagedByOffset: true,
    responses: { 200: { description: 'One page of groups, by path', schema: groupsSchema }, ...problems },
    async handle(call) {
      const { deps, principal, params } = call;
      const { search = '', min_access_level: least = 0 } = params;
      const all = await visibleGroups(call);
      const roles = await deps.store.groupRoles(principal.user.id);
      const part = search.toLowerCase();
      const found = all.filter(
        ({ path, name }) =>
          (path.toLowerCase().includes(part) || name.toLowerCase().includes(part)) &&
          (principal.user.admin || (inheritedLevel(roles, path) ?? 0) >= least),
      );
      const { items, headers } = offsetPage(call, found);
      const parents = new Map(all.map(({ path, id }) => [path.toLowerCase(), id]));
      return { status: 200, headers, body: await presentGroups(call, items, parents) };
    },
  }),
  inGroupRoute({
    method: 'POST',
    path: PATH,
    operationId: 'createGroup',
    summary: 'Make a group and become its owner: in a group of which you are a Maintainer; administrators: anywhere',
    action: 'create_group',
    audit: { event: 'group_created', target: newGroup },
    groupOf: (_path, given) => parentOf(given),
    parameters: createGroupSchema,
    responses: { 201: { description: 'The group', schema: groupSchema }, ...problems, ...conflict },
    async handle(call) {
      const { deps, principal, params } = call;
      const path = await newPath(deps.store, params);
      assertGoodPath(path);
      await assertFreeForGroup(deps.store, path);
      const { name, description = null } = params;
      // Whoever makes a row for a group with projects keeps the role that they have in these.
      const isNew = (await deps.store.projectsBelow(path)).length === 0;
      const group = await deps.store.createGroup({ path, name, description });
      if (isNew || principal.user.admin)
        await deps.store.setGroupMember(group.id, principal.user.id, ACCESS_LEVELS.owner);
      return { status: 201, body: await presentGroup(call, group) };
    },
  }),
  groupRoute({
    method: 'GET',
    path: `${PATH}/:id`,
    operationId: 'getGroup',
    summary: 'Read one group',
    action: 'read_group',
    responses: oneGroup,
    handle: async (call) => ({ status: 200, body: await presentGroup(call, call.group) }),
  }),
  groupRoute({
    method: 'PUT',
    path: `${PATH}/:id`,
    operationId: 'updateGroup',
    summary: 'Rename a group, describe it, or move it with everything below',
    action: 'update_group',
    audit: { event: 'group_changed', target: groupOfRequest },
    parameters: updateGroupSchema,
    responses: { ...oneGroup, ...conflict },
    async handle(call) {
      const { deps, group, params, rawParameters } = call;
      const { path, full_path: fullPath, name, description } = params;
      // Blank values are absent otherwise.
      const isCleared = rawParameters.description === '' || rawParameters.description === null;
      const given = definedMembers({
        visibility: params.default_visibility,
        errorTracking: params.default_error_tracking,
        alerts: params.default_alerts,
      });
      const defaults = Object.keys(given).length === 0 ? undefined : { ...group.defaults, ...given };
      const patch = definedMembers({ name, description: isCleared ? null : description, defaults });
      const moves = path !== undefined || fullPath !== undefined;
      if (!moves && Object.keys(patch).length === 0) {
        const names = Object.keys(updateGroupSchema.properties).join(', ');
        throw new AppError('invalid_parameter', `${names} are missing, at least one parameter must be provided`);
      }
      const made = await madeGroup(deps.store, group);
      const to = fullPath ?? joined(groupOfPath(made.path) ?? '', path ?? lastPart(made.path));
      const moved = moves && to !== made.path ? await move(call, made, to) : made;
      const updated = moved === null ? null : await deps.store.updateGroup(moved.id, patch);
      if (updated === null) throw new AppError('group_not_found', 'the group was deleted in the meantime');
      return { status: 200, body: await presentGroup(call, updated) };
    },
  }),
  groupRoute({
    method: 'DELETE',
    path: `${PATH}/:id`,
    operationId: 'deleteGroup',
    summary: 'Delete a group that has neither projects nor groups',
    action: 'delete_group',
    audit: { event: 'group_deleted', target: groupOfRequest },
    responses: { 202: { description: 'The group is deleted', schema: acceptedSchema }, ...problems, ...conflict },
    async handle({ deps, group }) {
      if (group.id === null) throw new AppError('conflict', 'the group has projects: move or delete them first');
      await deps.store.deleteGroup(group.id);
      return { status: 202, body: { message: '202 Accepted' } };
    },
  }),
  groupRoute({
    method: 'GET',
    path: `${PATH}/:id/projects`,
    operationId: 'listGroupProjects',
    summary: 'List your projects in a group (administrators: all of them), paged by page and per_page',
    action: 'read_group',
    parameters: groupProjectsSchema,
    pagedByOffset: true,
    responses: { 200: { description: 'One page of projects, by id', schema: projectsSchema }, ...problems },
    async handle(call) {
      const { deps, group, params, principal } = call;
      const { user } = principal;
      const own = new Set((user.admin ? [] : await deps.store.projectsOfUser(user.id)).map(({ id }) => id));
      const below = (await deps.store.projectsBelow(group.path)).filter(
        ({ id, path }) =>
          (user.admin || own.has(id)) &&
          (params.include_subgroups === true || groupOfPath(path)?.length === group.path.length),
      );
      const { items, headers } = offsetPage(call, below);
      const externalUrl = deps.externalUrl();
      return { status: 200, headers, body: items.map((project) => presentProject(project, externalUrl)) };
    },
  }),
];
