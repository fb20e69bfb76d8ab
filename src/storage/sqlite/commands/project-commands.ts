import type { AccessLevel } from '../../../domain/projects/account.ts';
import type { NewProject, Project, ProjectPatch } from '../../../domain/projects/project.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import { userById } from '../views/account-views.ts';
import { projectById } from '../views/project-views.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { sweepRowsOf } from './error-sweep.ts';
import { sweepReleases } from './prune-sessions.ts';
import { forgetPerson } from './forget-person.ts';
import { removeChannelConversations, sweepAlerts } from './sweep-alerts.ts';
import { mayBeAssigned } from '../../state/assignees.ts';
import { unassignAll } from './triage-commands.ts';
import { sweepImports } from './sweep-imports.ts';
import { PROJECT_SWEEP_ROWS } from '../../limits.ts';
import { pathTaken, unknownProject, unknownUser } from '../../refusals.ts';

export function createProject(context: WriteContext, project: NewProject): Project {
  const { db } = context;
  requireFreePath(db, project.path, null);
  // Ids are never reused.
  const id = db.number("SELECT seq FROM sqlite_sequence WHERE name = 'projects'") + 1;
  db.run(
    'INSERT INTO projects (id, path, name, visibility, created_at) VALUES (?, ?, ?, ?, ?)',
    id,
    project.path,
    project.name,
    project.visibility,
    context.now(),
  );
  db.run('DELETE FROM project_redirects WHERE path = ?', project.path);
  return requireProject(db, id);
}

export function updateProject(context: WriteContext, id: number, patch: ProjectPatch): Project | null {
  const { db } = context;
  const before = projectById(db, id);
  if (before === null) {
    return null;
  }
  const after = { ...before, ...patch };
  requireFreePath(db, after.path, id);
  db.run(
    'UPDATE projects SET path = ?, name = ?, visibility = ?, monitor_enabled = ? WHERE id = ?',
    after.path,
    after.name,
    after.visibility,
    after.monitorEnabled ? 1 : 0,
    id,
  );
  if (after.path !== before.path) {
    db.run('INSERT OR REPLACE INTO project_redirects (path, project_id) VALUES (?, ?)', before.path, id);
    // Paths compare without case, so that a change of case alone leaves no redirect.
    db.run('DELETE FROM project_redirects WHERE path = ?', after.path);
  }
  return requireProject(db, id);
}

/** Removes the project at once; `sweepProject` removes its errors and events later. */
export function removeProject(context: WriteContext, id: number): boolean {
  removeChannelConversations(context, id);
  const found = context.db.run('DELETE FROM projects WHERE id = ?', id) > 0;
  if (found) {
    context.db.run('INSERT OR IGNORE INTO removed_projects (id) VALUES (?)', id);
  }
  return found;
}

/** Removes one bounded slice of the data of a removed project; true when none is left. */
export function sweepProject(context: WriteContext, id: number): boolean {
  const { db } = context;
  if (db.get('SELECT 1 FROM removed_projects WHERE id = ?', id) === undefined) {
    return true;
  }
  let left = PROJECT_SWEEP_ROWS;
  for (const { id: errorId } of db.all('SELECT id FROM errors WHERE project_id = ? LIMIT 500', id)) {
    left -= sweepError(db, id, errorId as number, left);
    if (left <= 0) {
      return false;
    }
  }
  if (db.get('SELECT 1 FROM errors WHERE project_id = ?', id) !== undefined) {
    return false;
  }
  left -= db.run(
    'DELETE FROM event_keys WHERE id IN (SELECT id FROM event_keys WHERE project_id = ? LIMIT ?)',
    id,
    left,
  );
  if (left <= 0) {
    return false;
  }
  left -= db.run(
    `DELETE FROM user_names WHERE (project_id, name_hash, user_hash) IN
      (SELECT project_id, name_hash, user_hash FROM user_names WHERE project_id = ?1 LIMIT ?2)`,
    id,
    left,
  );
  if (left <= 0) {
    return false;
  }
  if (sweepReleases(db, id, left) > 0 || sweepImports(db, id, left) > 0 || sweepAlerts(context, id, left) > 0) {
    return false;
  }
  db.run('DELETE FROM outcomes WHERE project_id = ?', id);
  db.run('DELETE FROM removed_projects WHERE id = ?', id);
  return true;
}

/** Removes up to `limit` rows of an error, the error's own row last; returns the number removed. */
function sweepError(db: SqliteDatabase, projectId: number, errorId: number, limit: number): number {
  const events = db.all('SELECT id, block_id FROM events WHERE error_id = ? LIMIT ?', errorId, limit);
  for (const { id } of events) db.run('DELETE FROM events WHERE id = ?', id as number);
  // All events of a block belong to this project. Those of its other errors, which are also removed, cannot be read.
  // They still name the block when another project's new block has its id.
  for (const blockId of new Set(events.map((row) => row.block_id))) {
    if (blockId === null) continue;
    db.run('DELETE FROM event_blocks WHERE id = ? AND project_id = ?', blockId as number, projectId);
  }
  let removed = events.length;
  if (removed >= limit) return removed;
  const rows = sweepRowsOf(db, errorId, limit - removed);
  removed += rows.removed;
  return rows.done ? removed + db.run('DELETE FROM errors WHERE id = ?', errorId) : removed;
}

export function setMember(context: WriteContext, projectId: number, userId: number, level: AccessLevel): void {
  const { db } = context;
  requireProject(db, projectId);
  if (userById(db, userId) === null) {
    throw unknownUser(userId);
  }
  db.run(
    `INSERT INTO members (project_id, user_id, access_level) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET access_level = excluded.access_level`,
    projectId,
    userId,
    level,
  );
  if (!mayBeAssigned(level)) unassignAll(context, projectId, userId);
}

export function removeMember(context: WriteContext, projectId: number, userId: number): boolean {
  unassignAll(context, projectId, userId);
  forgetPerson(context, projectId, userId);
  return context.db.run('DELETE FROM members WHERE project_id = ? AND user_id = ?', projectId, userId) > 0;
}

/** Returns the project; throws `project_not_found` when there is none. */
export function requireProject(db: SqliteDatabase, id: number): Project {
  const project = projectById(db, id);
  if (project === null) {
    throw unknownProject(id);
  }
  return project;
}

function requireFreePath(db: SqliteDatabase, path: string, ownId: number | null): void {
  const holder = db.get('SELECT id FROM projects WHERE path = ?', path);
  if (holder !== undefined && holder.id !== ownId) {
    throw pathTaken(path);
  }
}
