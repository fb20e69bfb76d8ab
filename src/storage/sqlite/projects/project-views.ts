import type { FormerPath, Project } from '../../../domain/projects/project.ts';
import { unknownProject } from '../../refusals.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import { orNull, PROJECT_COLUMNS, toProject } from '../engine/rows.ts';

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
