import type { AccessLevel } from '../../../domain/projects/account.ts';
import { users } from '../../records/kinds/account-kinds.ts';
import { unknownUser } from '../../refusals.ts';
import { mayBeAssigned } from '../../state/assignees.ts';
import { memberKey } from '../documents/command-documents.ts';
import type { MongoContext } from '../engine/context.ts';
import { writing } from '../engine/operation-options.ts';
import { retryFirstUpsert } from '../engine/retry-duplicates.ts';
import { mongoRecords } from '../records/mongo-records.ts';
import { sweepMembership } from '../records/sweep-records.ts';
import { requireProject } from '../projects/project-views.ts';
import { accessLevel } from '../projects/roles.ts';
import { unassignAll } from './triage-commands.ts';

export async function setMember(
  context: MongoContext,
  projectId: number,
  userId: number,
  level: AccessLevel,
): Promise<void> {
  const { collections } = context;
  await requireProject(context, projectId);
  if ((await mongoRecords(context).get(users, { id: userId })) === null) throw unknownUser(userId);
  const _id = memberKey(projectId, userId);
  const update = { $set: { projectId, userId, accessLevel: level } };
  await retryFirstUpsert(() =>
    collections.members.updateOne({ _id }, update, { ...writing('members.set'), upsert: true }),
  );
  await settleRole(context, projectId, userId);
}

export async function removeMember(context: MongoContext, projectId: number, userId: number): Promise<boolean> {
  const { collections } = context;
  const _id = memberKey(projectId, userId);
  const { deletedCount } = await collections.members.deleteOne({ _id }, writing('members.remove'));
  // Also when it was removed before: that request may have ended in between.
  await settleRole(context, projectId, userId);
  return deletedCount > 0;
}

/** Takes from a user what their role in a project does not allow any more. */
export async function settleRole(context: MongoContext, projectId: number, userId: number): Promise<void> {
  const level = await accessLevel(context, projectId, userId);
  if (level === null || !mayBeAssigned(level)) await unassignAll(context, projectId, userId);
  if (level !== null) return;
  const _id = memberKey(projectId, userId);
  await context.collections.savedViews.deleteOne({ _id }, writing('saved_views.forget'));
  await sweepMembership(context, projectId, userId);
}
