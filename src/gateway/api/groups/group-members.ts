import { AppError } from '../../../domain/app-error.ts';
import { directMembers, type GroupMember } from '../../../domain/projects/group.ts';
import { problems, problemSchema } from '../../http/common-schema.ts';
import { madeGroup } from '../../http/group-lookup.ts';
import { offsetPage } from '../../http/page-links.ts';
import { idOf } from '../../http/path-ids.ts';
import { groupRoute, type GroupCall, type Route } from '../../http/route.ts';
import {
  addMemberSchema,
  assertGivesOthers,
  levelOf,
  memberSchema,
  membersSchema,
  membersWithOriginsSchema,
  presentMember,
  presentMemberWithOrigins,
  updateMemberSchema,
  userToAdd,
} from '../shared/member-answer.ts';
import { groupMemberTarget } from './audit-targets.ts';

const PATH = '/api/v4/groups/:id/members';
const oneMember = { 200: { description: 'The member', schema: memberSchema }, ...problems };
const lastOwner = {
  409: { description: 'The user is the last owner, or gets a higher role by itself', schema: problemSchema },
};

/** Returns the members of the group itself. */
async function ownMembers({ deps, group }: GroupCall<unknown>): Promise<GroupMember[]> {
  return directMembers(await deps.store.listGroupMembers(group.path), 'group', group.path);
}

async function memberOf(call: GroupCall<unknown>, userId: number | null): Promise<GroupMember | null> {
  return (await ownMembers(call)).find((member) => member.userId === userId) ?? null;
}

/** Returns the member in the path. Throws `not_found`. */
async function existing(call: GroupCall<unknown>): Promise<GroupMember> {
  const member = await memberOf(call, idOf(call.path.user_id));
  if (member === null) throw new AppError('not_found', 'the group has no such member');
  return member;
}

export const groupMemberRoutes: readonly Route[] = [
  groupRoute({
    method: 'GET',
    path: PATH,
    operationId: 'listGroupMembers',
    summary: 'List the members of a group itself, paged by page and per_page',
    action: 'read_group_members',
    pagedByOffset: true,
    responses: { 200: { description: 'One page of members, by id', schema: membersSchema }, ...problems },
    async handle(call) {
      const { items, headers } = offsetPage(call, await ownMembers(call));
      return { status: 200, headers, body: items.map(presentMember) };
    },
  }),
  groupRoute({
    method: 'GET',
    path: `${PATH}/all`,
    operationId: 'listAllGroupMembers',
    summary: 'List the members of a group and of the groups above, with the origin of their roles, paged',
    action: 'read_group_members',
    pagedByOffset: true,
    responses: { 200: { description: 'One page of members, by id', schema: membersWithOriginsSchema }, ...problems },
    async handle(call) {
      const { items, headers } = offsetPage(call, await call.deps.store.listGroupMembers(call.group.path));
      return { status: 200, headers, body: items.map(presentMemberWithOrigins) };
    },
  }),
  groupRoute({
    method: 'POST',
    path: PATH,
    operationId: 'addGroupMember',
    summary: 'Add a member to a group, with a role in all projects below',
    action: 'manage_group_members',
    audit: { event: 'member_added', target: groupMemberTarget },
    parameters: addMemberSchema,
    responses: {
      201: { description: 'The member', schema: memberSchema },
      ...problems,
      409: { description: 'The user is already a member, or the caller', schema: problemSchema },
    },
    async handle(call) {
      const { deps, group, params } = call;
      const level = levelOf(params.access_level);
      const { id: userId } = await userToAdd(deps.store, params);
      if ((await memberOf(call, userId)) !== null) throw new AppError('conflict', 'Member already exists');
      assertGivesOthers(call.principal, userId, level);
      await deps.store.setGroupMember((await madeGroup(deps.store, group)).id, userId, level);
      const member = await memberOf(call, userId);
      if (member === null) throw new AppError('not_found', 'the group was moved or deleted in the meantime');
      return { status: 201, body: presentMember(member) };
    },
  }),
  groupRoute({
    method: 'PUT',
    path: `${PATH}/:user_id`,
    operationId: 'updateGroupMember',
    summary: 'Change the role of a member of a group',
    action: 'manage_group_members',
    audit: { event: 'member_changed', target: groupMemberTarget },
    parameters: updateMemberSchema,
    responses: { ...oneMember, ...lastOwner },
    async handle(call) {
      const { deps, group, params } = call;
      const accessLevel = levelOf(params.access_level);
      const member = await existing(call);
      assertGivesOthers(call.principal, member.userId, accessLevel, member.accessLevel);
      await deps.store.setGroupMember((await madeGroup(deps.store, group)).id, member.userId, accessLevel);
      return { status: 200, body: presentMember({ ...member, accessLevel }) };
    },
  }),
  groupRoute({
    method: 'DELETE',
    path: `${PATH}/:user_id`,
    operationId: 'removeGroupMember',
    summary: 'Remove a member of a group',
    action: 'manage_group_members',
    audit: { event: 'member_removed', target: groupMemberTarget },
    responses: { 204: { description: 'The member was removed' }, ...problems, ...lastOwner },
    async handle(call) {
      const { userId } = await existing(call);
      await call.deps.store.removeGroupMember((await madeGroup(call.deps.store, call.group)).id, userId);
      return { status: 204, body: null };
    },
  }),
];
