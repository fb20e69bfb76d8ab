import { requireRoomForView } from '../../state/saved-views.ts';
import type { SavedView } from '../../../domain/search/saved-view.ts';
import { savedViews } from './link-views.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { requireProject } from '../projects/project-views.ts';

export function saveView(
  { db }: WriteContext,
  projectId: number,
  userId: number,
  { name, query, isDefault }: Omit<SavedView, 'id'>,
): SavedView {
  requireProject(db, projectId);
  const present = savedViews(db, projectId, userId);
  if (isDefault)
    db.run('UPDATE saved_views SET is_default = 0 WHERE project_id = ? AND user_id = ?', projectId, userId);
  const known = present.find((view) => view.name === name);
  if (known !== undefined) {
    db.run('UPDATE saved_views SET query = ?, is_default = ? WHERE id = ?', query, isDefault ? 1 : 0, known.id);
    return { id: known.id, name, query, isDefault };
  }
  requireRoomForView(present);
  const sql = 'INSERT INTO saved_views (project_id, user_id, name, query, is_default) VALUES (?, ?, ?, ?, ?)';
  const id = db.insert(sql, projectId, userId, name, query, isDefault ? 1 : 0);
  return { id, name, query, isDefault };
}

export function removeView({ db }: WriteContext, projectId: number, userId: number, id: number): boolean {
  const sql = 'DELETE FROM saved_views WHERE id = ? AND project_id = ? AND user_id = ?';
  return db.run(sql, id, projectId, userId) > 0;
}
