import type { ReleaseHealth, ReleaseQuery } from '../../../domain/session.ts';
import type { Page } from '../../../domain/tracked-error.ts';
import { decodeCursor, queryHash, type Cursor } from '../../cursor.ts';
import { hourOf } from '../../fold.ts';
import { HOURS_SHOWN } from '../../frequency.ts';
import type { SqliteDatabase } from '../database.ts';
import type { Row } from '../driver.ts';
import { beyond, sqlitePage } from './sqlite-page.ts';

/** Returns one page of a project's releases; see the port. */
export function listReleases(
  db: SqliteDatabase,
  projectId: number,
  query: ReleaseQuery,
  now: number,
): Page<ReleaseHealth> {
  const environment = query.environment ?? '';
  const hash = queryHash(['releases', projectId, environment]);
  const cursor = decodeCursor(query.cursor, hash, Number.isSafeInteger);
  return db.snapshot(() => {
    const fetch = (from: Cursor | null, limit: number): Row[] => {
      const { compare, order } = from === null ? { compare: '', order: 'DESC' } : beyond(from);
      const range = from === null ? '' : `AND (first_seen, id) ${compare} (?, ?)`;
      return db.all(
        `SELECT * FROM releases WHERE project_id = ? AND environment = ? AND release <> '' ${range}
          ORDER BY first_seen ${order}, id ${order} LIMIT ?`,
        ...[projectId, environment, ...(from === null ? [] : [from.value, from.id]), limit],
      );
    };
    const page = sqlitePage(fetch, 'first_seen', cursor, query.limit, hash);
    const total = "SELECT id FROM releases WHERE project_id = ? AND environment = ? AND release = ''";
    const allId = db.number(total, projectId, environment);
    const hours = hourOf(now);
    const allSessions24h = recentSessions(db, allId, hours);
    return {
      ...page,
      items: page.items.map((row) => ({
        ...toHealth(row),
        newErrors: newErrors(db, projectId, row.release as string, query.environment),
        sessions24h: recentSessions(db, row.id as number, hours),
        allSessions24h,
      })),
    };
  });
}

function toHealth(row: Row): Omit<ReleaseHealth, 'newErrors' | 'sessions24h' | 'allSessions24h'> {
  return {
    release: row.release as string,
    firstSeen: row.first_seen as number,
    lastSeen: row.last_seen as number,
    events: row.events as number,
    users: row.users as number,
    crashedUsers: row.crashed_users as number,
    sessions: row.sessions as number,
    errored: row.errored as number,
    crashed: row.crashed as number,
    abnormal: row.abnormal as number,
    unhandled: row.unhandled as number,
  };
}

function recentSessions(db: SqliteDatabase, releaseId: number, currentHour: number): number {
  return db.number(
    'SELECT coalesce(sum(sessions), 0) FROM release_hours WHERE release_id = ? AND hour BETWEEN ? AND ?',
    releaseId,
    currentHour - HOURS_SHOWN + 1,
    currentHour,
  );
}

/**
 * Counts new errors of a release; with an environment only those seen there. A merged error counts once, by its
 * displayed row.
 */
function newErrors(db: SqliteDatabase, projectId: number, release: string, environment: string | null): number {
  const alone = 'FROM errors e WHERE project_id = ? AND first_release = ? AND merged_into IS NULL';
  const merged = 'FROM error_groups e WHERE project_id = ? AND first_release = ?';
  const count = (from: string, rows: string) =>
    environment === null
      ? db.number(`SELECT count(*) ${from}`, projectId, release)
      : db.number(
          `SELECT count(*) ${from} AND EXISTS
            (SELECT 1 FROM error_tags t WHERE t.error_id ${rows} AND t.key = 'environment' AND t.value = ?)`,
          ...[projectId, release, environment],
        );
  return count(alone, '= e.id') + count(merged, 'IN (SELECT m.id FROM errors m WHERE m.merged_into = e.id)');
}
