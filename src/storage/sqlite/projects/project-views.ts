import type { AccessLevel } from '../../../domain/projects/account.ts';
import type { FormerPath, Member, Project } from '../../../domain/projects/project.ts';
import { unknownProject } from '../../refusals.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import { orNull, PROJECT_COLUMNS, toMember, toProject } from '../engine/rows.ts';

export function projectById(db: SqliteDatabase, id: number): Project | null {
  return orNull(db.get(`SELECT ${PROJECT_COLUMNS} FROM projects p WHERE p.id = ?`, id), toProject);
}

/** Returns the project; throws `project_not_found` when there is none. */
export function requireProject(db: SqliteDatabase, id: number): Project {
  const project = projectById(db, id);
  if (project === null) {
    throw unknownProject(id);
  }
  return project;
}

export function projectByPath(db: SqliteDatabase, path: string): { project: Project; moved: boolean } | null {
  const current = db.get(`SELECT ${PROJECT_COLUMNS} FROM projects p WHERE p.path = ?`, path);
  if (current !== undefined) {
    return { project: toProject(current), moved: false };
  }
  const former = db.get(
    `SELECT ${PROJECT_COLUMNS} FROM project_redirects r JOIN projects p ON p.id = r.project_id WHERE r.path = ?`,
    path,
  );
  return orNull(former, (row) => ({ project: toProject(row), moved: true }));
}

export function formerPathsIn(db: SqliteDatabase, group: string): FormerPath[] {
  // `0` is the character after `/`.
  const sql = 'SELECT path, project_id FROM project_redirects WHERE path > ? AND path < ? ORDER BY path';
  return db
    .all(sql, `${group}/`, `${group}0`)
    .map(({ path, project_id: projectId }) => ({ path: path as string, projectId: projectId as number }));
}

export function listProjects(db: SqliteDatabase): Project[] {
  return db.all(`SELECT ${PROJECT_COLUMNS} FROM projects p ORDER BY p.id`).map(toProject);
}

export function listMembers(db: SqliteDatabase, projectId: number): Member[] {
  const sql = `SELECT m.project_id, m.user_id, u.username, u.name, u.blocked, m.access_level
    FROM members m JOIN users u ON u.id = m.user_id WHERE m.project_id = ? ORDER BY m.user_id`;
  return db.all(sql, projectId).map(toMember);
}

export function accessLevel(db: SqliteDatabase, projectId: number, userId: number): AccessLevel | null {
  const row = db.get('SELECT access_level FROM members WHERE project_id = ? AND user_id = ?', projectId, userId);
  return orNull(row, (found) => found.access_level as AccessLevel);
}

export function projectsOfUser(db: SqliteDatabase, userId: number): Project[] {
  const sql = `SELECT ${PROJECT_COLUMNS} FROM members m JOIN projects p ON p.id = m.project_id
    WHERE m.user_id = ? ORDER BY p.id`;
  return db.all(sql, userId).map(toProject);
}
