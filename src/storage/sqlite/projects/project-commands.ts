import type { NewProject, Project, ProjectPatch } from '../../../domain/projects/project.ts';
import { pathTaken } from '../../refusals.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { projectById, requireProject } from './project-views.ts';

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

function requireFreePath(db: SqliteDatabase, path: string, ownId: number | null): void {
  const holder = db.get('SELECT id FROM projects WHERE path = ?', path);
  if (holder !== undefined && holder.id !== ownId) {
    throw pathTaken(path);
  }
}
