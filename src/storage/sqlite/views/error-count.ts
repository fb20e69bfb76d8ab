import type { ErrorStatus } from '../../../domain/tracked-error.ts';
import type { SqliteDatabase } from '../database.ts';
import { STATUS_CODES } from '../../error-status.ts';

/** Errors that stand alone, and what is shown of merged ones; each index is read up to the limit. */
export function countErrors(db: SqliteDatabase, projectId: number, status: ErrorStatus, limit: number): number {
  const sql = `SELECT count(*) FROM (
    SELECT 1 FROM errors INDEXED BY errors_by_last_seen
      WHERE project_id = ?1 AND status = ?2 AND merged_into IS NULL
    UNION ALL
    SELECT 1 FROM error_groups WHERE project_id = ?1 AND status = ?2
    LIMIT ?3)`;
  return db.number(sql, projectId, STATUS_CODES[status], limit);
}
