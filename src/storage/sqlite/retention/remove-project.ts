import { PROJECT_SWEEP_ROWS } from '../../limits.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { sweepRowsOf } from './error-sweep.ts';
import { sweepReleases } from '../blocks/prune-sessions.ts';
import { removeChannelConversations, sweepAlerts } from '../alerts/sweep-alerts.ts';
import { sweepImports } from '../imports/sweep-imports.ts';

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
