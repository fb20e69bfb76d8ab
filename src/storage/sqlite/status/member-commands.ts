import type { AccessLevel } from '../../../domain/projects/account.ts';
import { tableName } from '../../records/kind.ts';
import { users } from '../../records/kinds/account-kinds.ts';
import { KINDS } from '../../records/kinds.ts';
import { unknownUser } from '../../refusals.ts';
import { mayBeAssigned } from '../../state/assignees.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { getRecord } from '../records/record-statements.ts';
import { requireProject } from '../projects/project-views.ts';
import { accessLevel } from '../projects/roles.ts';
import { unassignAll } from './triage-commands.ts';

export function setMember(context: WriteContext, projectId: number, userId: number, level: AccessLevel): void {
  const { db } = context;
  requireProject(db, projectId);
  if (getRecord(db, users, { id: userId }) === null) throw unknownUser(userId);
  db.run(
    `INSERT INTO members (project_id, user_id, access_level) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET access_level = excluded.access_level`,
    projectId,
    userId,
    level,
  );
  settleRole(context, projectId, userId);
}

export function removeMember(context: WriteContext, projectId: number, userId: number): boolean {
  const removed = context.db.run('DELETE FROM members WHERE project_id = ? AND user_id = ?', projectId, userId) > 0;
  settleRole(context, projectId, userId);
  return removed;
}

/** Takes from a user what their role in a project does not allow any more. */
export function settleRole(context: WriteContext, projectId: number, userId: number): void {
  const level = accessLevel(context.db, projectId, userId);
  if (level === null || !mayBeAssigned(level)) unassignAll(context, projectId, userId);
  if (level === null) forgetPerson(context, projectId, userId);
}

/** Removes what a person set for a project in which they have no role any more. */
function forgetPerson({ db }: WriteContext, projectId: number, userId: number): void {
  db.run('DELETE FROM saved_views WHERE project_id = ? AND user_id = ?', projectId, userId);
  for (const kind of Object.values(KINDS).filter((each) => each.of === 'member')) {
    db.run(`DELETE FROM ${tableName(kind)} WHERE user_id = ? AND project_id = ?`, userId, projectId);
  }
}
