import type { AccessLevel } from '../../../domain/projects/account.ts';
import { type GroupMember, MAX_GROUPS_OF_USER } from '../../../domain/projects/group.ts';
import { groupMembers, groups, type StoredGroup, type StoredGroupMember } from '../../records/kinds/group-kinds.ts';
import { invitations } from '../../records/kinds/invitation-kinds.ts';
import { requiredUser } from '../../records/owners.ts';
import { fewer, put, remove, removeAll, required } from '../../records/writes.ts';
import { groupInUse, groupsFull, unknownGroup } from '../../refusals.ts';
import { requireOwnerLeft } from '../../state/group-rules.ts';
import type { MongoContext } from '../engine/context.ts';
import { groupsBelow } from '../projects/groups.ts';
import { listGroupMembers, projectIdsAt, projectsBelow } from '../projects/roles.ts';
import { mongoRecords } from '../records/mongo-records.ts';
import { settleRole } from './member-commands.ts';

export async function setGroupMember(
  context: MongoContext,
  groupId: number,
  userId: number,
  level: AccessLevel,
): Promise<void> {
  const records = mongoRecords(context);
  const group = await records.get(groups, { id: groupId });
  if (group === null) throw unknownGroup(groupId);
  const key = { groupId, userId };
  const [before, held] = await Promise.all([listGroupMembers(context, group.path), records.get(groupMembers, key)]);
  const room = fewer(groupMembers, { userId }, MAX_GROUPS_OF_USER, key);
  const requirements = [requiredUser(userId), required(room, groupsFull())];
  await records.write([put(groupMembers, { ...key, level })], requirements);
  if ((await records.get(groups, { id: groupId })) === null) {
    // It was deleted meanwhile, and its members before.
    await records.write([remove(groupMembers, key)]);
    throw unknownGroup(groupId);
  }
  await requireOwner(context, group, before, held);
  await settleBelow(context, group, userId);
}

export async function removeGroupMember(context: MongoContext, groupId: number, userId: number): Promise<boolean> {
  const records = mongoRecords(context);
  const group = await records.get(groups, { id: groupId });
  if (group === null) return false;
  const key = { groupId, userId };
  const [before, held] = await Promise.all([listGroupMembers(context, group.path), records.get(groupMembers, key)]);
  const [removed] = await records.write([remove(groupMembers, key)]);
  await requireOwner(context, group, before, held);
  // Also when it was removed before: that request may have ended in between.
  await settleBelow(context, group, userId);
  return removed;
}

/**
 * Takes a change of a member back when it left the group without an owner, also when two owners remove each other at
 * once. Throws `conflict` then.
 */
async function requireOwner(
  context: MongoContext,
  { path }: StoredGroup,
  before: readonly GroupMember[],
  held: StoredGroupMember | null,
): Promise<void> {
  try {
    requireOwnerLeft(before, await listGroupMembers(context, path));
  } catch (error) {
    if (held !== null) await mongoRecords(context).write([put(groupMembers, held)]);
    throw error;
  }
}

export async function deleteGroup(context: MongoContext, id: number): Promise<boolean> {
  const records = mongoRecords(context);
  const group = await records.get(groups, { id });
  if (group === null) return false;
  const [projects, below] = await Promise.all([projectsBelow(context, group.path), groupsBelow(context, group.path)]);
  if (projects.length > 0 || below.length > 0) throw groupInUse(projects.length);
  // The group goes last, so that a deletion that ended in between can be repeated.
  await records.write([
    removeAll(groupMembers, { groupId: id }),
    removeAll(invitations, { groupId: id }),
    remove(groups, { id }),
  ]);
  return true;
}

/** Takes from a user what their role does not allow any more in the projects of a group. */
async function settleBelow(context: MongoContext, { path, movedFrom }: StoredGroup, userId: number): Promise<void> {
  for (const place of movedFrom === null ? [path] : [path, movedFrom]) {
    for (const id of await projectIdsAt(context, place)) await settleRole(context, id, userId);
  }
}
