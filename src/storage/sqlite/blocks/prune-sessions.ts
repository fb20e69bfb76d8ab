import type { PruneLimits } from '../../../domain/ports/stores/maintenance-store.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import { HOUR_MS } from '../../../domain/durations.ts';

/** Removes one slice of expired sessions, hours and releases; returns the number of rows removed. */
export function pruneSessions(db: SqliteDatabase, { sessions }: PruneLimits, limit: number): number {
  if (sessions === undefined) {
    return 0;
  }
  const rows = db.run(
    `DELETE FROM sessions WHERE (project_id, session_id) IN
      (SELECT project_id, session_id FROM sessions WHERE hour < ? LIMIT ?)`,
    Math.floor(sessions.startedBefore / HOUR_MS),
    limit,
  );
  const hours = db.run(
    `DELETE FROM release_hours WHERE (release_id, hour) IN
      (SELECT release_id, hour FROM release_hours WHERE hour < ? LIMIT ?)`,
    Math.floor(sessions.seenBefore / HOUR_MS),
    limit,
  );
  let left = limit;
  // Few rows, because a project has only as many releases as its users created.
  for (const { id } of db.all('SELECT id FROM releases WHERE last_seen < ? LIMIT ?', sessions.seenBefore, limit)) {
    left -= removeRelease(db, id as number, left);
    if (left <= 0) {
      break;
    }
  }
  return rows + hours + (limit - left);
}

/** Removes up to `limit` rows of a release, its own last; returns the number removed. */
function removeRelease(db: SqliteDatabase, id: number, limit: number): number {
  const users = db.run(
    `DELETE FROM release_users WHERE release_id = ? AND user_hash IN
      (SELECT user_hash FROM release_users WHERE release_id = ? LIMIT ?)`,
    id,
    id,
    limit,
  );
  if (users >= limit) {
    return users;
  }
  // At most 24 per day of the retention.
  const hours = db.run('DELETE FROM release_hours WHERE release_id = ?', id);
  return users + hours + db.run('DELETE FROM releases WHERE id = ?', id);
}

/**
 * Removes one slice of reports whose event has no payload any more or never arrived. Reads all reports, because they
 * are few.
 */
export function pruneReports(db: SqliteDatabase, { unmatchedReportsBefore }: PruneLimits, limit: number): number {
  const rows = db.all(
    `SELECT r.project_id, r.event_id, r.report_id FROM event_reports r
      LEFT JOIN event_keys k ON k.project_id = r.project_id AND k.event_id = r.event_id
      LEFT JOIN events v ON v.id = k.id
      WHERE v.id IS NULL AND (k.id IS NOT NULL OR r.received_at < ?) LIMIT ?`,
    unmatchedReportsBefore ?? Number.MIN_SAFE_INTEGER,
    limit,
  );
  const remove = db.prepare('DELETE FROM event_reports WHERE project_id = ? AND event_id = ? AND report_id = ?');
  for (const row of rows) {
    remove.run(row.project_id as number, row.event_id as Uint8Array, row.report_id as Uint8Array);
  }
  return rows.length;
}

/** Removes up to `limit` rows of a removed project's sessions, releases and reports; 0 when nothing is left. */
export function sweepReleases(db: SqliteDatabase, projectId: number, limit: number): number {
  let removed = db.run(
    `DELETE FROM sessions WHERE project_id = ? AND session_id IN
      (SELECT session_id FROM sessions WHERE project_id = ? LIMIT ?)`,
    projectId,
    projectId,
    limit,
  );
  for (const { id } of db.all('SELECT id FROM releases WHERE project_id = ? LIMIT ?', projectId, limit)) {
    if (removed >= limit) {
      return removed;
    }
    removed += removeRelease(db, id as number, limit - removed);
  }
  if (removed < limit) {
    removed += db.run(
      `DELETE FROM event_reports WHERE (project_id, event_id, report_id) IN
        (SELECT project_id, event_id, report_id FROM event_reports WHERE project_id = ? LIMIT ?)`,
      projectId,
      limit - removed,
    );
  }
  return removed;
}
