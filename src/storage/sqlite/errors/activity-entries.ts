import type { ActivityDetails, ActivityEntry, ActivityKind } from '../../../domain/errors/error-state.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { Row } from '../engine/driver.ts';

/** Returns the log of an error, oldest first. */
export function activityOf(db: SqliteDatabase, errorId: number): ActivityEntry[] {
  const sql = 'SELECT at, kind, user_id, details FROM error_activity WHERE error_id = ? ORDER BY id';
  return db.all(sql, errorId).map(toEntry);
}

/** Converts a row of error_activity. */
export function toEntry(row: Row): ActivityEntry {
  return {
    at: row.at as number,
    kind: row.kind as ActivityKind,
    userId: row.user_id as number | null,
    details: JSON.parse(row.details as string) as ActivityDetails,
  };
}
