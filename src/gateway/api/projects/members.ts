import { effectiveLevel } from '../../../auth/policy.ts';
import type { AccessLevel } from '../../../domain/projects/account.ts';
import { AppError } from '../../../domain/app-error.ts';
import { directMembers } from '../../../domain/projects/group.ts';
import type { Member } from '../../../domain/projects/project.ts';
import { problems, problemSchema } from '../../http/common-schema.ts';
import { offsetPage } from '../../http/page-links.ts';
import { idOf } from '../../http/path-ids.ts';
import { projectRoute, type ProjectCall, type Route } from '../../http/route.ts';
import {
  addMemberSchema,
  assertGivesOthers,
  levelOf,
  memberSchema,
  memberWithOriginsSchema,
  membersSchema,
  membersWithOriginsSchema,
  presentMember,
  presentMemberWithOrigins,
  updateMemberSchema,
  userToAdd,
} from '../shared/member-answer.ts';
import { memberSuggestionsSchema } from './member-schema.ts';
import { memberTarget } from './audit-targets.ts';

/** Maximum of projects whose members are read. Those beyond it, the newest ones, add no suggestions. */
const MAX_PROJECTS_READ = 200;

interface MemberSuggestion {
  readonly id: number;
  readonly username: string;
  readonly name: string;
}

/**
 * Returns users that are not members of the project itself and not blocked, by user name; only those visible to the caller:
 * members of the caller's other projects. Administrators see all users.
 */
async function memberSuggestions(call: ProjectCall<unknown>): Promise<MemberSuggestion[]> {
  const {
    deps: { store },
    principal: { user: caller },
  } = call;
  const found = new Map<number, MemberSuggestion>();
  if (caller.admin) {
    for (const { id, username, name, blocked } of await store.listUsers()) {
      if (!blocked) found.set(id, { id, username, name });
    }
  } else {
    for (const { id } of (await store.projectsOfUser(caller.id)).slice(0, MAX_PROJECTS_READ)) {
      for (const { userId, username, name, blocked } of await store.listMembers(id)) {
        if (!blocked) found.set(userId, { id: userId, username, name });
      }
    }
  }
  for (const { userId } of await ownMembers(call)) found.delete(userId);
  if (!caller.admin) found.delete(caller.id);
  return [...found.values()].sort((a, b) => (a.username < b.username ? -1 : 1));
}

const PATH = '/api/v4/projects/:id/members';
const oneMember = { 200: { description: 'The member', schema: memberSchema }, ...problems };

/** Returns the members of the project itself. */
async function ownMembers({ deps, project }: ProjectCall<unknown>): Promise<Member[]> {
  return directMembers(await deps.store.listMembers(project.id), 'project', project.path);
}

async function memberOf(call: ProjectCall<unknown>, userId: number | null): Promise<Member | null> {
  return (await ownMembers(call)).find((member) => member.userId === userId) ?? null;
}

async function existing(call: ProjectCall<unknown>): Promise<Member> {
  const member = await memberOf(call, idOf(call.path.user_id));
  if (member === null) throw new AppError('not_found', 'the project has no such member');
  return member;
}

/** Throws `forbidden` when a user grants, changes or removes a role above their own. */
async function assertMayDecideOn(call: ProjectCall<unknown>, ...levels: readonly AccessLevel[]): Promise<void> {
  const { deps, project, principal } = call;
  const held = effectiveLevel(principal, await deps.store.accessLevel(project.id, principal.user.id));
  if (levels.some((level) => level > held)) throw new AppError('forbidden', 'the role is higher than your own');
}

export const memberRoutes: readonly Route[] = [
  projectRoute({
    method: 'GET',
    path: PATH,
    operationId: 'listMembers',
    summary: 'List the members of a project itself, paged by page and per_page',
    action: 'read_members',
    pagedByOffset: true,
    responses: { 200: { description: 'One page of members, by id', schema: membersSchema }, ...problems },
    async handle(call) {
      const { items, headers } = offsetPage(call, await ownMembers(call));
      return { status: 200, headers, body: items.map(presentMember) };
    },
  }),
  projectRoute({
    method: 'GET',
    path: `${PATH}/all`,
    operationId: 'listAllMembers',
    summary: 'List the members of a project and of its groups, with the origin of their roles, paged',
    action: 'read_members',
    pagedByOffset: true,
    responses: { 200: { description: 'One page of members, by id', schema: membersWithOriginsSchema }, ...problems },
    async handle(call) {
      const { items, headers } = offsetPage(call, await call.deps.store.listMembers(call.project.id));
      return { status: 200, headers, body: items.map(presentMemberWithOrigins) };
    },
  }),
  projectRoute({
    method: 'GET',
    path: `${PATH}/all/:user_id`,
    operationId: 'getAnyMember',
    summary: 'Read one member of a project or of its groups, with the origin of the role',
    action: 'read_members',
    responses: { 200: { description: 'The member', schema: memberWithOriginsSchema }, ...problems },
    async handle({ deps, project, path }) {
      const id = idOf(path.user_id);
      const member = (await deps.store.listMembers(project.id)).find(({ userId }) => userId === id);
      if (member === undefined) throw new AppError('not_found', 'the user has no role in the project');
      return { status: 200, body: presentMemberWithOrigins(member) };
    },
  }),
  projectRoute({
    method: 'GET',
    path: `${PATH}/:user_id`,
    operationId: 'getMember',
    summary: 'Read one member',
    action: 'read_members',
    responses: oneMember,
    handle: async (call) => ({ status: 200, body: presentMember(await existing(call)) }),
  }),
  projectRoute({
    method: 'GET',
    path: '/api/v4/projects/:id/member_suggestions',
    operationId: 'suggestMembers',
    summary: 'List users to add: members of other projects of the caller; all users for administrators',
    action: 'suggest_members',
    pagedByOffset: true,
    responses: {
      200: { description: 'One page of users, by user name', schema: memberSuggestionsSchema },
      ...problems,
    },
    async handle(call) {
      const { items, headers } = offsetPage(call, await memberSuggestions(call));
      return { status: 200, headers, body: items };
    },
  }),
  projectRoute({
    method: 'POST',
    path: PATH,
    operationId: 'addMember',
    summary: 'Add a member with a role not above your own',
    action: 'manage_members',
    audit: { event: 'member_added', target: memberTarget },
    parameters: addMemberSchema,
    responses: {
      201: { description: 'The member', schema: memberSchema },
      ...problems,
      409: { description: 'The user is already a member, or the caller', schema: problemSchema },
    },
    async handle(call) {
      const { deps, project, params } = call;
      const level = levelOf(params.access_level);
      await assertMayDecideOn(call, level);
      const { id: userId } = await userToAdd(deps.store, params);
      if ((await memberOf(call, userId)) !== null) throw new AppError('conflict', 'Member already exists');
      assertGivesOthers(call.principal, userId, level);
      await deps.store.setMember(project.id, userId, level);
      const member = await memberOf(call, userId);
      if (member === null) throw new AppError('not_found', 'the user or the project was removed in the meantime');
      return { status: 201, body: presentMember(member) };
    },
  }),
  projectRoute({
    method: 'PUT',
    path: `${PATH}/:user_id`,
    operationId: 'updateMember',
    summary: 'Change the role of a member; neither role may be above your own',
    action: 'manage_members',
    audit: { event: 'member_changed', target: memberTarget },
    parameters: updateMemberSchema,
    responses: { ...oneMember, 409: { description: 'A higher role for oneself', schema: problemSchema } },
    async handle(call) {
      const { deps, project, params } = call;
      const level = levelOf(params.access_level);
      const member = await existing(call);
      await assertMayDecideOn(call, level, member.accessLevel);
      assertGivesOthers(call.principal, member.userId, level, member.accessLevel);
      await deps.store.setMember(project.id, member.userId, level);
      return { status: 200, body: presentMember({ ...member, accessLevel: level }) };
    },
  }),
  projectRoute({
    method: 'DELETE',
    path: `${PATH}/:user_id`,
    operationId: 'removeMember',
    summary: 'Remove a member whose role is not above your own',
    action: 'manage_members',
    audit: { event: 'member_removed', target: memberTarget },
    responses: { 204: { description: 'The member was removed' }, ...problems },
    async handle(call) {
      const member = await existing(call);
      await assertMayDecideOn(call, member.accessLevel);
      await call.deps.store.removeMember(call.project.id, member.userId);
      return { status: 204, body: null };
    },
  }),
];
