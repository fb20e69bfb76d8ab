import {
  MAX_RELEASES_SORTED,
  type ReleaseHealth,
  type ReleaseQuery,
  type SessionCounts,
} from '../../../domain/releases/session.ts';
import type { Page } from '../../../domain/page.ts';
import { decodeCursor, queryHash, type Cursor } from '../../errors/cursor.ts';
import { hourOf } from '../../fold.ts';
import { HOURS_SHOWN } from '../../errors/frequency.ts';
import { sortedPage } from '../../errors/sorted-page.ts';
import { byVersion } from '../../../domain/releases/release-order.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { Row } from '../engine/driver.ts';
import { beyond, sqlitePage } from '../engine/sqlite-page.ts';

/** Returns one page of a project's releases; see the port. */
export function listReleases(
  db: SqliteDatabase,
  projectId: number,
  query: ReleaseQuery,
  now: number,
): Page<ReleaseHealth> {
  const { sort = 'first_seen' } = query;
  const environment = query.environment ?? '';
  const hash = queryHash(['releases', projectId, environment, ...(sort === 'first_seen' ? [] : [sort])]);
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
    const page =
      sort === 'first_seen'
        ? sqlitePage(fetch, 'first_seen', cursor, query.limit, hash)
        : sortedPage(inVersionOrder(fetch(null, MAX_RELEASES_SORTED)), cursor, query.limit, hash);
    return { ...page, items: page.items.map(healthOf(db, projectId, query.environment, hourOf(now))) };
  });
}

function inVersionOrder(rows: readonly Row[]): Row[] {
  return byVersion(
    rows.map((row) => ({ row, release: row.release as string, firstSeen: row.first_seen as number })),
  ).map(({ row }) => row);
}

/** Returns a function that completes rows of releases. The hour ends the window of recent sessions. */
export function healthOf(
  db: SqliteDatabase,
  projectId: number,
  environment: string | null,
  hour: number,
): (row: Row) => ReleaseHealth {
  const total = "SELECT id FROM releases WHERE project_id = ? AND environment = ? AND release = ''";
  const allSessions24h = recentSessions(db, db.number(total, projectId, environment ?? ''), hour);
  return (row) => ({
    release: row.release as string,
    firstSeen: row.first_seen as number,
    lastSeen: row.last_seen as number,
    events: row.events as number,
    users: row.users as number,
    crashedUsers: row.crashed_users as number,
    ...sessionCounts(row),
    newErrors: newErrors(db, projectId, row.release as string, environment),
    sessions24h: recentSessions(db, row.id as number, hour),
    allSessions24h,
  });
}

export function sessionCounts(row: Row): SessionCounts {
  return {
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
