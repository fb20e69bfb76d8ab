import type { Page } from '../../../domain/page.ts';
import type { ReportedEvent } from '../../../domain/events/report-list.ts';
import { MAX_EVENTS_FOR_REPORTS, type ReportOfEvent, type UserReport } from '../../../domain/events/user-report.ts';
import { decodeCursor, queryHash, type Cursor } from '../../errors/cursor.ts';
import { EVENT_ID } from '../../events/event-body.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { Row } from '../engine/driver.ts';
import { beyond, sqlitePage } from '../engine/sqlite-page.ts';

/**
 * Events with reports, each at the place of its newest one. The plus keeps the index of times, which has the reports
 * of all events, from being used to find the others of an event.
 */
const REPORTED = `SELECT lower(hex(r.event_id)) AS id, r.event_id, r.received_at AS at FROM event_reports r
  WHERE r.project_id = ? AND NOT EXISTS (SELECT 1 FROM event_reports n WHERE n.project_id = r.project_id
    AND n.event_id = r.event_id AND (+n.received_at, n.report_id) > (r.received_at, r.report_id))`;

const ERRORS_OF_EVENTS = `SELECT lower(hex(f.event_id)) AS event_id, coalesce(e.merged_into, e.id) AS id,
    coalesce(g.title, e.title) AS title
  FROM (
    SELECT k.event_id, v.error_id FROM event_keys k JOIN events v ON v.id = k.id
      WHERE k.project_id = ?1 AND k.event_id IN (SELECT unhex(value) FROM json_each(?2))
    UNION ALL SELECT event_id, error_id FROM imported_events
      WHERE project_id = ?1 AND event_id IN (SELECT unhex(value) FROM json_each(?2))
  ) f JOIN errors e ON e.id = f.error_id LEFT JOIN error_groups g ON g.id = e.merged_into`;

/** Returns one page of a project's events with reports; see the port. */
export function listReports(
  db: SqliteDatabase,
  projectId: number,
  limit: number,
  cursorText: string | null,
): Page<ReportedEvent> {
  const hash = queryHash(['reports', projectId]);
  const cursor = decodeCursor(cursorText, hash, (id) => typeof id === 'string' && EVENT_ID.test(id));
  return db.snapshot(() => {
    const fetch = (from: Cursor | null, count: number): Row[] => {
      const { compare, order } = from === null ? { compare: '', order: 'DESC' } : beyond(from);
      const range = from === null ? '' : `AND (r.received_at, r.event_id) ${compare} (?, unhex(?))`;
      return db.all(
        `${REPORTED} ${range} ORDER BY r.received_at ${order}, r.event_id ${order} LIMIT ?`,
        ...[projectId, ...(from === null ? [] : [from.value, from.id]), count],
      );
    };
    const page = sqlitePage(fetch, 'at', cursor, limit, hash);
    const errors = errorsOfEvents(
      db,
      projectId,
      page.items.map(({ id }) => id as string),
    );
    const items = page.items.map((row) => ({
      eventId: row.id as string,
      error: errors.get(row.id as string) ?? null,
      reports: reportsOf(db, projectId, row.event_id as Uint8Array).reverse(),
    }));
    return { ...page, items };
  });
}

/** Returns the displayed errors of stored events, by event id. */
function errorsOfEvents(
  db: SqliteDatabase,
  projectId: number,
  eventIds: readonly string[],
): ReadonlyMap<string, NonNullable<ReportedEvent['error']>> {
  const rows = db.all(ERRORS_OF_EVENTS, projectId, JSON.stringify(eventIds));
  return new Map(rows.map((row) => [row.event_id as string, { id: String(row.id), title: row.title as string }]));
}

/** Returns the reports of an event, at most as many as are stored per event. */
export function reportsOf(db: SqliteDatabase, projectId: number, eventId: Uint8Array): UserReport[] {
  return db
    .all(
      `SELECT lower(hex(report_id)) AS id, received_at, report FROM event_reports
        WHERE project_id = ? AND event_id = ? ORDER BY received_at, report_id`,
      projectId,
      eventId,
    )
    .map(reportOf);
}

export function reportsOfEvents(
  db: SqliteDatabase,
  projectId: number,
  eventIds: readonly string[],
  limit: number,
): ReportOfEvent[] {
  const ids = JSON.stringify(eventIds.filter((id) => EVENT_ID.test(id)).slice(0, MAX_EVENTS_FOR_REPORTS));
  return db
    .all(
      `SELECT lower(hex(event_id)) AS event_id, lower(hex(report_id)) AS id, received_at, report FROM event_reports
        WHERE project_id = ? AND event_id IN (SELECT unhex(value) FROM json_each(?))
        ORDER BY received_at DESC, report_id LIMIT ?`,
      projectId,
      ids,
      limit,
    )
    .map((row) => ({ eventId: row.event_id as string, report: reportOf(row) }));
}

function reportOf(row: Row): UserReport {
  return {
    ...(JSON.parse(row.report as string) as Omit<UserReport, 'id' | 'receivedAt'>),
    id: row.id as string,
    receivedAt: row.received_at as number,
  };
}
