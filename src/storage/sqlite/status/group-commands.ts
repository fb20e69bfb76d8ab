import type { AccessLevel } from '../../../domain/projects/account.ts';
import { MAX_GROUPS_OF_USER } from '../../../domain/projects/group.ts';
import { users } from '../../records/kinds/account-kinds.ts';
import { groupMembers, groups, type StoredGroup } from '../../records/kinds/group-kinds.ts';
import { invitations } from '../../records/kinds/invitation-kinds.ts';
import { fewer, put, remove, removeAll, required } from '../../records/writes.ts';
import { groupInUse, groupsFull, unknownGroup, unknownUser } from '../../refusals.ts';
import { requireOwnerLeft } from '../../state/group-rules.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { groupsBelow } from '../projects/groups.ts';
import { listGroupMembers, projectsAt, projectsBelow } from '../projects/roles.ts';
import { getRecord, writeRecords } from '../records/record-statements.ts';
import { settleRole } from './member-commands.ts';

export function setGroupMember(context: WriteContext, groupId: number, userId: number, level: AccessLevel): void {
  const { db } = context;
  const group = requireGroup(db, groupId);
  if (getRecord(db, users, { id: userId }) === null) throw unknownUser(userId);
  const before = listGroupMembers(db, group.path);
  const room = fewer(groupMembers, { userId }, MAX_GROUPS_OF_USER, { groupId, userId });
  writeRecords(db, [put(groupMembers, { groupId, userId, level })], [required(room, groupsFull())]);
  requireOwnerLeft(before, listGroupMembers(db, group.path));
  settleBelow(context, group, userId);
}

export function removeGroupMember(context: WriteContext, groupId: number, userId: number): boolean {
  const { db } = context;
  const group = getRecord(db, groups, { id: groupId });
  if (group === null) return false;
  const before = listGroupMembers(db, group.path);
  const [removed] = writeRecords(db, [remove(groupMembers, { groupId, userId })]);
  requireOwnerLeft(before, listGroupMembers(db, group.path));
  settleBelow(context, group, userId);
  return removed === true;
}

export function deleteGroup({ db }: WriteContext, id: number): boolean {
  const group = getRecord(db, groups, { id });
  if (group === null) return false;
  const projects = projectsBelow(db, group.path);
  if (projects.length > 0 || groupsBelow(db, group.path).length > 0) throw groupInUse(projects.length);
  writeRecords(db, [
    removeAll(groupMembers, { groupId: id }),
    removeAll(invitations, { groupId: id }),
    remove(groups, { id }),
  ]);
  return true;
}

/** Takes from a user what their role does not allow any more in the projects of a group. */
function settleBelow(context: WriteContext, { path }: StoredGroup, userId: number): void {
  for (const { id } of projectsAt(context.db, path)) settleRole(context, id, userId);
}

function requireGroup(db: SqliteDatabase, id: number): StoredGroup {
  const group = getRecord(db, groups, { id });
  if (group === null) throw unknownGroup(id);
  return group;
}
