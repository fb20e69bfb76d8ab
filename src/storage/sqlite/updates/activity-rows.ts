import { MAX_ACTIVITY, type ActivityEntry } from '../../../domain/errors/error-state.ts';
import type { SqliteDatabase } from '../engine/database.ts';

/** Adds an entry to the log of an error; drops the oldest ones beyond MAX_ACTIVITY. */
export function logActivity(db: SqliteDatabase, errorId: number, { at, kind, userId, details }: ActivityEntry): void {
  db.run(
    'INSERT INTO error_activity (error_id, at, kind, user_id, details) VALUES (?, ?, ?, ?, ?)',
    ...[errorId, at, kind, userId, JSON.stringify(details)],
  );
  db.run(
    `DELETE FROM error_activity WHERE error_id = ?1 AND id <=
      (SELECT id FROM error_activity WHERE error_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ${MAX_ACTIVITY})`,
    errorId,
  );
}
