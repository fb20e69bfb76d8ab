import { NEW_FOR_MS, REVIEW_FOR_MS } from '../../../domain/errors/error-marks.ts';
import { MAX_NEWS, MAX_UNRESOLVED, NEWS_HOURS, type ProjectNews } from '../../../domain/projects/project-news.ts';
import { STATUS_CODES } from '../../errors/error-status.ts';
import { requireFewProjects } from '../../few-projects.ts';
import { hourOf } from '../../fold.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import { HOUR_MS } from '../../../domain/durations.ts';

/** Reads indexes of first occurrences, regressions and last occurrences; see the port. */
export function projectNews(
  db: SqliteDatabase,
  projectIds: readonly number[],
  now: number,
): ReadonlyMap<number, ProjectNews> {
  requireFewProjects(projectIds);
  return db.snapshot(() => new Map(projectIds.map((id) => [id, newsOf(db, id, now)])));
}

function newsOf(db: SqliteDatabase, projectId: number, now: number): ProjectNews {
  return {
    unresolved: db.number(
      `SELECT count(*) FROM (
        SELECT 1 FROM errors INDEXED BY errors_by_last_seen
          WHERE project_id = ?1 AND status = ?2 AND merged_into IS NULL
        UNION ALL SELECT 1 FROM error_groups WHERE project_id = ?1 AND status = ?2
        LIMIT ${MAX_UNRESOLVED})`,
      ...[projectId, STATUS_CODES.unresolved],
    ),
    newErrors: db.number(
      `SELECT count(*) FROM (
        SELECT 1 FROM errors INDEXED BY errors_by_first_seen
          WHERE project_id = ?1 AND status = ?2 AND merged_into IS NULL AND first_seen > ?3
        UNION ALL SELECT 1 FROM error_groups INDEXED BY error_groups_by_first_seen
          WHERE project_id = ?1 AND status = ?2 AND first_seen > ?3
        LIMIT ${MAX_NEWS})`,
      ...[projectId, STATUS_CODES.unresolved, now - NEW_FOR_MS],
    ),
    regressed: db.number(
      `SELECT count(*) FROM (
        SELECT 1 FROM errors INDEXED BY errors_regressed
          WHERE project_id = ?1 AND regressed_at > ?3 AND merged_into IS NULL AND +status = ?2
        UNION ALL SELECT 1 FROM error_groups WHERE project_id = ?1 AND status = ?2 AND regressed_at > ?3
        LIMIT ${MAX_NEWS})`,
      ...[projectId, STATUS_CODES.unresolved, now - REVIEW_FOR_MS],
    ),
    lastSeen: lastSeen(db, projectId),
    accepted: accepted(db, projectId, hourOf(now)),
  };
}

function lastSeen(db: SqliteDatabase, projectId: number): number | null {
  const times = Object.values(STATUS_CODES).flatMap((status) =>
    ['errors', 'error_groups'].map(
      (table) =>
        db.get(
          `SELECT last_seen FROM ${table} WHERE project_id = ? AND status = ?
            ${table === 'errors' ? 'AND merged_into IS NULL' : ''} ORDER BY last_seen DESC LIMIT 1`,
          ...[projectId, status],
        )?.last_seen as number | undefined,
    ),
  );
  return times.reduce<number | null>((last, at) => (at === undefined ? last : Math.max(last ?? at, at)), null);
}

function accepted(db: SqliteDatabase, projectId: number, hour: number): ReadonlyMap<number, number> {
  const rows = db.all(
    `SELECT hour, sum(quantity) AS events FROM outcomes WHERE project_id = ? AND hour > ? AND hour <= ?
      AND outcome = 'accepted' AND category = 'error' GROUP BY hour`,
    ...[projectId, hour - NEWS_HOURS, hour],
  );
  return new Map(rows.map((row) => [(row.hour as number) * HOUR_MS, row.events as number]));
}
