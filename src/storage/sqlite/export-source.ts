import type { GroupHash } from '../../domain/ingest/digest.ts';
import type { ErrorNote } from '../../domain/errors/error-origin.ts';
import type {
  ExportBounds,
  ExportedActivity,
  ExportedError,
  ExportedEvent,
  ExportedGroupHash,
  ExportedIssue,
  ExportedRelease,
  ExportedReport,
  ExportSource,
} from '../../domain/ports/export-source.ts';
import { parseDetails } from '../../domain/errors/status-details.ts';
import type { FrequencyPoint } from '../../domain/errors/tracked-error.ts';
import type { UserReport } from '../../domain/events/user-report.ts';
import { ownBytes, RecentBlocks } from '../events/block-bodies.ts';
import { statusName } from '../errors/error-status.ts';
import { IMPORTED_GROUPING_VERSION } from '../imports/imported-group-hash.ts';
import { continuations } from '../records/kinds/grouping-kinds.ts';
import { toEntry } from './errors/activity-entries.ts';
import type { SqliteDatabase } from './engine/database.ts';
import type { Row, SqlValue } from './engine/driver.ts';
import { openDatabase } from './files/open-database.ts';
import { storedMarks, textsIn } from './errors/error-columns.ts';
import { originOf } from './errors/import-views.ts';
import { getRecord } from './records/record-statements.ts';

/** Rows read at a time. A payload has at most about a megabyte, usually one kilobyte or a place in a block. */
const PAGE = 500;

const WITHIN = '(?1 IS NULL OR e.project_id = ?1)';

// The last occurrence of a merged error is that of any member: all of them are exported together.
const SEEN = `(?2 IS NULL OR e.last_seen >= ?2 OR EXISTS
  (SELECT 1 FROM errors m WHERE m.merged_into = e.merged_into AND m.last_seen >= ?2))`;

const hex = (value: unknown): string => Buffer.from(value as Uint8Array).toString('hex');

/**
 * Opens a store file to be exported, in one read transaction: other processes go on writing, and the file's log grows
 * until `close`. Throws as `openDatabase` does.
 */
export async function openSqliteExport(file: string): Promise<ExportSource> {
  const db = await openDatabase(file, 'reader', false);
  db.connection.exec('BEGIN');
  // The state is that of the first read.
  db.number('SELECT count(*) FROM sqlite_schema');
  return {
    errors: (bounds) => errors(db, bounds),
    events: (bounds) => events(db, bounds),
    activity: (bounds) => activity(db, bounds),
    releases: (bounds) => releases(db, bounds),
    reports: (bounds) => reports(db, bounds),
    close: async () => {
      db.connection.exec('COMMIT');
      db.close();
    },
  };
}

/** Reads pages by a cursor, the column `cursor` of the last row; `sql` takes it after the bounds. */
function* pages(db: SqliteDatabase, sql: string, bounds: ExportBounds, first: SqlValue): Generator<Row[]> {
  let cursor = first;
  for (;;) {
    const rows = db.all(`${sql} LIMIT ${PAGE}`, bounds.projectId, bounds.since, cursor);
    if (rows.length === 0) return;
    cursor = rows.at(-1)?.cursor as SqlValue;
    yield rows;
  }
}

async function* errors(db: SqliteDatabase, bounds: ExportBounds): AsyncGenerator<ExportedError[]> {
  const sql = `SELECT e.id AS cursor, e.* FROM errors e WHERE ${WITHIN} AND ${SEEN}
    AND e.id > ?3 AND e.project_id IN (SELECT id FROM projects) ORDER BY e.id`;
  for (const rows of pages(db, sql, bounds, 0)) yield rows.map((row) => toError(db, row));
}

function toError(db: SqliteDatabase, row: Row): ExportedError {
  const [id, mergedInto] = [row.id as number, row.merged_into as number | null];
  const projectId = row.project_id as number;
  const own = { groupHash: hex(row.leaf), groupingVersion: row.grouping_version as number };
  const isImported = own.groupingVersion === IMPORTED_GROUPING_VERSION;
  return {
    id: String(id),
    projectId,
    groupHashes: [own, ...aliasesOf(db, id)].map((each) => withContinuation(db, projectId, each)),
    status: statusName(row.status as number),
    resolvedAt: row.resolved_at as number | null,
    details: parseDetails(row.status_details as string | null),
    assignee: assigneeOf(db, row.assignee_id as number | null),
    ownNotes: ownNotesOf(db, id),
    linkedIssues: linkedIssuesOf(db, id),
    marks: storedMarks(row),
    mergedInto: mergedInto === null ? null : String(mergedInto),
    count: row.count as number,
    userCount: row.user_count as number,
    firstSeen: row.first_seen as number,
    lastSeen: row.last_seen as number,
    firstRelease: row.first_release as string | null,
    lastRelease: row.last_release as string | null,
    ...textsIn(row),
    hours: points(db.all('SELECT hour, count FROM error_hours WHERE error_id = ? ORDER BY hour', id)),
    baseHours: isImported ? baseOf(db, id, 1) : [],
    baseDays: isImported ? baseOf(db, id, 24) : [],
    origin: originOf(db, [id]),
  };
}

function assigneeOf(db: SqliteDatabase, userId: number | null): string | null {
  const user = userId === null ? undefined : db.get('SELECT username, email FROM users WHERE id = ?', userId);
  return user === undefined ? null : ((user.email ?? user.username) as string);
}

function ownNotesOf(db: SqliteDatabase, errorId: number): ErrorNote[] {
  const sql = `SELECT n.id, n.at, n.text, coalesce(nullif(u.name, ''), u.username, 'removed user') AS author
    FROM own_notes n LEFT JOIN users u ON u.id = n.user_id WHERE n.error_id = ? ORDER BY n.id`;
  return db.all(sql, errorId).map((row) => ({
    externalId: `own:${String(row.id)}`,
    author: row.author as string,
    at: row.at as number,
    text: row.text as string,
  }));
}

function linkedIssuesOf(db: SqliteDatabase, errorId: number): ExportedIssue[] {
  const sql = `SELECT i.url, i.title, i.at, coalesce(u.email, u.username) AS user FROM linked_issues i
    LEFT JOIN users u ON u.id = i.user_id WHERE i.error_id = ? ORDER BY i.at, i.id`;
  return db.all(sql, errorId).map((row) => ({
    url: row.url as string,
    title: row.title as string,
    at: row.at as number,
    user: row.user as string | null,
  }));
}

/** Returns what a tracker counted in buckets of 1 or 24 hours. */
function baseOf(db: SqliteDatabase, errorId: number, width: number): FrequencyPoint[] {
  const sql = 'SELECT hour, count FROM imported_buckets WHERE error_id = ? AND hours = ? ORDER BY hour';
  return points(db.all(sql, errorId, width));
}

function points(rows: readonly Row[]): FrequencyPoint[] {
  return rows.map(({ hour, count }) => [(hour as number) * 3600, count as number]);
}

function aliasesOf(db: SqliteDatabase, errorId: number): GroupHash[] {
  const sql = `SELECT group_hash, grouping_version FROM group_aliases WHERE error_id = ? AND ended_at IS NULL
    ORDER BY group_hash`;
  return db
    .all(sql, errorId)
    .map((row) => ({ groupHash: hex(row.group_hash), groupingVersion: row.grouping_version as number }));
}

function withContinuation(db: SqliteDatabase, projectId: number, hash: GroupHash): ExportedGroupHash {
  const continuedBy = getRecord(db, continuations, { projectId, groupHash: hash.groupHash })?.mappedHash;
  return continuedBy === undefined ? hash : { ...hash, continuedBy };
}

async function* events(db: SqliteDatabase, bounds: ExportBounds): AsyncGenerator<ExportedEvent[]> {
  const blocks = new RecentBlocks();
  const columns = 'e.project_id, e.leaf, e.grouping_version, v.error_id, k.event_id';
  const own = `SELECT v.id AS cursor, ${columns}, v.received_at, v.payload, v.block_id FROM events v
    CROSS JOIN event_keys k ON k.id = v.id CROSS JOIN errors e ON e.id = v.error_id
    WHERE ${WITHIN} AND (?2 IS NULL OR v.received_at >= ?2) AND v.id > ?3
    AND e.project_id IN (SELECT id FROM projects) ORDER BY v.id`;
  for (const rows of pages(db, own, bounds, 0)) yield rows.map((row) => toEvent(row, false, bodyOf(db, row, blocks)));
  const imported = `SELECT v.id AS cursor, ${columns.replace('k.event_id', 'v.event_id')}, v.at AS received_at, v.payload
    FROM imported_events v CROSS JOIN errors e ON e.id = v.error_id
    WHERE ${WITHIN} AND (?2 IS NULL OR v.at >= ?2) AND v.id > ?3
    AND e.project_id IN (SELECT id FROM projects) ORDER BY v.id`;
  for (const rows of pages(db, imported, bounds, 0)) {
    yield rows.map((row) => toEvent(row, true, ownBytes(row.payload as Uint8Array)));
  }
}

function bodyOf(db: SqliteDatabase, row: Row, blocks: RecentBlocks): Buffer | null {
  if (row.block_id === null) return ownBytes(row.payload as Uint8Array);
  const id = String(row.block_id);
  const block = blocks.get(id) ?? blocks.add(id, encodedBlock(db, row.block_id as number));
  return block.find(hex(row.event_id));
}

function encodedBlock(db: SqliteDatabase, id: number): Uint8Array {
  const block = db.get('SELECT bodies FROM event_blocks WHERE id = ?', id);
  return (block?.bodies as Uint8Array | undefined) ?? new Uint8Array();
}

function toEvent(row: Row, imported: boolean, json: Buffer | null): ExportedEvent {
  return {
    projectId: row.project_id as number,
    errorId: String(row.error_id),
    groupHash: { groupHash: hex(row.leaf), groupingVersion: row.grouping_version as number },
    eventId: hex(row.event_id),
    receivedAt: row.received_at as number,
    imported,
    json,
  };
}

async function* activity(db: SqliteDatabase, bounds: ExportBounds): AsyncGenerator<ExportedActivity[]> {
  const sql = `SELECT a.id AS cursor, a.*, e.project_id, coalesce(u.email, u.username) AS user,
      coalesce(s.email, s.username) AS assignee
    FROM error_activity a CROSS JOIN errors e ON e.id = a.error_id LEFT JOIN users u ON u.id = a.user_id
    LEFT JOIN users s ON s.id = json_extract(a.details, '$.assigneeId')
    WHERE ${WITHIN} AND ${SEEN} AND a.id > ?3 AND e.project_id IN (SELECT id FROM projects) ORDER BY a.id`;
  for (const rows of pages(db, sql, bounds, 0)) {
    yield rows.map((row) => ({
      projectId: row.project_id as number,
      errorId: String(row.error_id),
      entry: toEntry(row),
      user: row.user as string | null,
      assignee: row.assignee as string | null,
    }));
  }
}

async function* releases(db: SqliteDatabase, bounds: ExportBounds): AsyncGenerator<ExportedRelease[]> {
  const sql = `SELECT json_array(e.project_id, e.release) AS cursor, e.project_id, e.release, e.first_seen, e.last_seen
    FROM releases e WHERE ${WITHIN} AND e.environment = '' AND e.release <> '' AND (?2 IS NULL OR e.last_seen >= ?2)
    AND (e.project_id, e.release) > (json_extract(?3, '$[0]'), json_extract(?3, '$[1]'))
    AND e.project_id IN (SELECT id FROM projects) ORDER BY e.project_id, e.release`;
  for (const rows of pages(db, sql, bounds, '[-1,""]')) {
    yield rows.map((row) => ({
      projectId: row.project_id as number,
      release: row.release as string,
      firstSeen: row.first_seen as number,
      lastSeen: row.last_seen as number,
    }));
  }
}

async function* reports(db: SqliteDatabase, bounds: ExportBounds): AsyncGenerator<ExportedReport[]> {
  const sql = `SELECT printf('%020d', e.project_id) || hex(e.event_id) || hex(e.report_id) AS cursor, e.project_id,
      e.event_id, e.report_id, e.received_at, e.report, v.error_id FROM event_reports e
    LEFT JOIN event_keys k ON k.project_id = e.project_id AND k.event_id = e.event_id LEFT JOIN events v ON v.id = k.id
    WHERE ${WITHIN} AND (?2 IS NULL OR e.received_at >= ?2) AND (e.project_id, e.event_id, e.report_id) >
      (CAST(substr(?3, 1, 20) AS INTEGER), unhex(substr(?3, 21, 32)), unhex(substr(?3, 53)))
    AND e.project_id IN (SELECT id FROM projects) ORDER BY e.project_id, e.event_id, e.report_id`;
  for (const rows of pages(db, sql, bounds, '0'.repeat(20))) yield rows.map(toReport);
}

function toReport(row: Row): ExportedReport {
  const content = JSON.parse(row.report as string) as Omit<UserReport, 'id' | 'receivedAt'>;
  return {
    projectId: row.project_id as number,
    eventId: hex(row.event_id),
    errorId: row.error_id === null ? null : String(row.error_id),
    report: { ...content, id: hex(row.report_id), receivedAt: row.received_at as number },
  };
}
