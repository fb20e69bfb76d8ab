import { newestOf, RELEASES_COMPARED } from '../../../domain/releases/release-order.ts';
import type { SqliteDatabase } from '../engine/database.ts';

/**
 * Returns the newest release of a project by the order of releases, of those first seen until a time; null: it has none.
 */
export function newestRelease(db: SqliteDatabase, projectId: number, until: number): string | null {
  const sql = `SELECT release FROM releases WHERE project_id = ? AND environment = '' AND release <> ''
    AND first_seen <= ? ORDER BY first_seen DESC, id DESC LIMIT ${RELEASES_COMPARED}`;
  return newestOf(db.all(sql, projectId, until).map((row) => row.release as string));
}
