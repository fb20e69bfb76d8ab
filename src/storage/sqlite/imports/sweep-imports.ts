import type { SqliteDatabase } from '../engine/database.ts';

/** Removes up to about `limit` rows of an error's imported history; returns the number removed. */
export function sweepImportedError(db: SqliteDatabase, errorId: number, limit: number): number {
  const removed = ['imported_events', 'known_events', 'error_notes', 'external_references', 'group_aliases'].reduce(
    (sum, table) => (sum >= limit ? sum : sum + sweepTable(db, table, 'error_id', errorId, limit - sum)),
    0,
  );
  if (removed >= limit) return removed;
  // Bounded per error: a day of hours and a month of days.
  const buckets = db.run('DELETE FROM imported_buckets WHERE error_id = ?', errorId);
  return removed + buckets + db.run('DELETE FROM imported_errors WHERE error_id = ?', errorId);
}

/** Removes up to `limit` rows of a removed project's imports that belong to no error; 0 when nothing is left. */
export function sweepImports(db: SqliteDatabase, projectId: number, limit: number): number {
  const removed = sweepTable(db, 'known_events', 'project_id', projectId, limit);
  const states = 'DELETE FROM import_states WHERE substr(key, 1, length(?1)) = ?1';
  return removed + db.run(states, `${projectId}/`);
}

const KEYS: Readonly<Record<string, string>> = {
  imported_events: 'id',
  known_events: 'project_id, event_id',
  error_notes: 'error_id, external_id',
  external_references: 'folded, project_id, error_id, kind',
  group_aliases: 'group_hash',
};

function sweepTable(db: SqliteDatabase, table: string, column: string, value: number, limit: number): number {
  const key = KEYS[table] ?? 'rowid';
  return db.run(
    `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${column} = ? LIMIT ?)`,
    value,
    limit,
  );
}
