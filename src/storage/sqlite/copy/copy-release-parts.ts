import type { UserReport } from '../../../domain/events/user-report.ts';
import type { CopyRows } from '../../copy/copy-rows.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { Row } from '../engine/driver.ts';

const hex = (value: unknown): string => Buffer.from(value as Uint8Array).toString('hex');
const scopeOf = (row: Readonly<Record<string, unknown>>) => ({
  projectId: row.project_id as number,
  environment: row.environment as string,
  release: row.release as string,
});

const HOURS = `release_hours h JOIN releases r ON r.id = h.release_id`;
const SESSIONS = `(SELECT project_id, session_id, 'seen' AS kind, 0 AS kind_no, release_id, hour, 0 AS ended FROM sessions
  UNION ALL SELECT project_id, session_id, 'errored', 1, release_id, hour, 0 FROM sessions WHERE errored = 1
  UNION ALL SELECT project_id, session_id, 'ended', 2, release_id, hour, ended FROM sessions WHERE ended > 0) s
  JOIN releases r ON r.id = s.release_id`;
const USERS = `(SELECT release_id, user_hash, 0 AS crashed FROM release_users
  UNION ALL SELECT release_id, user_hash, 1 FROM release_users WHERE crashed = 1) u JOIN releases r ON r.id = u.release_id`;

type ReleasePart = 'releases' | 'releaseHours' | 'releaseUsers' | 'sessionRows' | 'eventReports';

/** Parts for sessions, releases and reports, in the form of the other store's documents. */
export const RELEASE_PARTS: { readonly [P in ReleasePart]: CopyPartOf<CopyRows[P]> } = {
  releases: {
    count: "SELECT count(*) FROM releases WHERE release <> ''",
    page: "SELECT id AS page_key, * FROM releases WHERE release <> '' AND id > ? ORDER BY id",
    first: 0,
    toRow: (row) => ({
      ...scopeOf(row),
      firstSeen: row.first_seen as number,
      lastSeen: row.last_seen as number,
      events: row.events as number,
      sessions: row.sessions as number,
      errored: row.errored as number,
      crashed: row.crashed as number,
      abnormal: row.abnormal as number,
      unhandled: row.unhandled as number,
      users: row.users as number,
      crashedUsers: row.crashed_users as number,
    }),
  },
  releaseHours: {
    count: `SELECT count(*) FROM (SELECT DISTINCT h.release_id, h.hour / 24 FROM ${HOURS})`,
    page: `SELECT printf('%020d%020d', h.release_id, h.hour / 24) AS page_key, r.project_id, r.environment, r.release,
             h.hour / 24 AS day, json_group_object(h.hour % 24, json_object('sessions', h.sessions,
               'errored', h.errored, 'crashed', h.crashed, 'abnormal', h.abnormal, 'unhandled', h.unhandled)) AS hours
           FROM ${HOURS}
           WHERE (h.release_id, h.hour / 24) > (CAST(substr(?1, 1, 20) AS INTEGER), CAST(substr(?1, 21) AS INTEGER))
           GROUP BY h.release_id, h.hour / 24 ORDER BY h.release_id, h.hour / 24`,
    first: '0'.repeat(40),
    toRow: (row) => ({
      ...scopeOf(row),
      day: row.day as number,
      hours: JSON.parse(row.hours as string) as CopyRows['releaseHours']['hours'],
    }),
  },
  releaseUsers: {
    count: `SELECT count(*) FROM ${USERS}`,
    page: `SELECT printf('%020d', u.release_id) || hex(u.user_hash) || u.crashed AS page_key, r.project_id, r.environment,
             r.release, u.user_hash, u.crashed
           FROM ${USERS}
           WHERE (u.release_id, u.user_hash, u.crashed) >
             (CAST(substr(?1, 1, 20) AS INTEGER), unhex(substr(?1, 21, 24)), CAST(substr(?1, 45) AS INTEGER))
           ORDER BY u.release_id, u.user_hash, u.crashed`,
    first: `${'0'.repeat(44)}0`,
    toRow: (row) => ({ ...scopeOf(row), userHash: hex(row.user_hash), crashed: row.crashed === 1 }),
  },
  sessionRows: {
    count: `SELECT count(*) FROM ${SESSIONS}`,
    page: `SELECT printf('%020d', s.project_id) || hex(s.session_id) || s.kind_no AS page_key, s.project_id, s.session_id,
             s.kind, s.hour, s.ended, r.environment, r.release
           FROM ${SESSIONS}
           WHERE (s.project_id, s.session_id, s.kind_no) >
             (CAST(substr(?1, 1, 20) AS INTEGER), unhex(substr(?1, 21, 32)), CAST(substr(?1, 53) AS INTEGER))
           ORDER BY s.project_id, s.session_id, s.kind_no`,
    first: `${'0'.repeat(52)}0`,
    toRow: (row) => ({
      ...scopeOf(row),
      sessionId: hex(row.session_id),
      kind: row.kind as CopyRows['sessionRows']['kind'],
      hour: row.hour as number,
      ended: row.ended as number,
    }),
  },
  eventReports: {
    count: 'SELECT count(*) FROM (SELECT DISTINCT project_id, event_id FROM event_reports)',
    page: `SELECT printf('%020d', project_id) || hex(event_id) AS page_key, project_id, event_id,
             json_group_array(json_object('id', lower(hex(report_id)), 'receivedAt', received_at,
               'content', json(report))) AS reports
           FROM event_reports
           WHERE (project_id, event_id) > (CAST(substr(?1, 1, 20) AS INTEGER), unhex(substr(?1, 21)))
           GROUP BY project_id, event_id ORDER BY project_id, event_id`,
    first: '0'.repeat(20),
    toRow: (row) => ({
      projectId: row.project_id as number,
      eventId: hex(row.event_id),
      reports: (
        JSON.parse(row.reports as string) as {
          id: string;
          receivedAt: number;
          content: Omit<UserReport, 'id' | 'receivedAt'>;
        }[]
      ).map(({ content, ...rest }) => ({ ...content, ...rest })),
    }),
  },
};

/** Queries that count and read the rows of a part. */
export interface CopyPartOf<R> {
  readonly count: string;
  /** Query of a page by keyset; `?` is the last row's `page_key`, by which rows are sorted. */
  readonly page: string;
  readonly first: number | string | Uint8Array;
  toRow(row: Row, db: SqliteDatabase): R;
}
