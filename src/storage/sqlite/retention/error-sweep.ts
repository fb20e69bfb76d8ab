import type { SqliteDatabase } from '../engine/database.ts';
import { sweepImportedError } from '../imports/sweep-imports.ts';

/** Tables whose rows are bounded per error: 31 days of hours, 60 keys of at most 100 values, notes and activities. */
const BOUNDED = [
  ...['error_terms', 'rank_queue', 'error_hours', 'error_tags', 'error_tag_keys', 'own_notes', 'linked_issues'],
  'error_activity',
];

/** Removes up to about `limit` rows that belong to an error, beside its events and its own row. */
export function sweepRowsOf(
  db: SqliteDatabase,
  errorId: number,
  limit: number,
): { readonly removed: number; readonly done: boolean } {
  let removed = db.run(
    `DELETE FROM error_users WHERE error_id = ?1 AND user_hash IN
      (SELECT user_hash FROM error_users WHERE error_id = ?1 LIMIT ?2)`,
    errorId,
    limit,
  );
  if (removed < limit) removed += sweepImportedError(db, errorId, limit - removed);
  if (removed >= limit) return { removed, done: false };
  for (const table of BOUNDED) removed += db.run(`DELETE FROM ${table} WHERE error_id = ?`, errorId);
  removed += db.run('DELETE FROM error_groups WHERE id = ?', errorId);
  return { removed, done: true };
}
