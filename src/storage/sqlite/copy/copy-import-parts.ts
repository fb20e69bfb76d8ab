import type { ReferenceKind, StoredAliasOrigin } from '../../../domain/imports/import.ts';
import type { CopyRows } from '../../copy/copy-rows.ts';
import type { StoredError } from '../../errors/stored-error.ts';
import type { StatusCode } from '../../errors/error-status.ts';
import type { CopyPartOf } from './copy-release-parts.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { Row } from '../engine/driver.ts';
import { SOURCE_COLUMNS, toSource } from '../errors/import-views.ts';

const hex = (value: unknown): string => Buffer.from(value as Uint8Array).toString('hex');
const errorOf = (row: Readonly<Record<string, unknown>>) => ({
  projectId: row.project_id as number,
  groupHash: hex(row.leaf),
});

type ImportPart = 'importSources' | 'importedErrors' | 'groupAliases' | 'knownThere' | 'importedEvents' | 'errorNotes';

/** Parts for history imported from other trackers, in the form of the other store's documents. */
export const IMPORT_PARTS: { readonly [P in ImportPart]: CopyPartOf<CopyRows[P]> } = {
  importSources: {
    count: 'SELECT count(*) FROM import_sources',
    page: `SELECT id AS page_key, known_until, ${SOURCE_COLUMNS} FROM import_sources WHERE id > ? ORDER BY id`,
    first: 0,
    toRow: (row) => ({ ...toSource(row), knownUntil: row.known_until as number | null }),
  },
  importedErrors: {
    count: 'SELECT count(*) FROM imported_errors i JOIN errors e ON e.id = i.error_id',
    page: `SELECT i.error_id AS page_key, i.*, e.project_id, e.leaf FROM imported_errors i JOIN errors e ON e.id = i.error_id
      WHERE i.error_id > ? ORDER BY i.error_id`,
    first: 0,
    toRow: (row, db) => ({
      ...errorOf(row),
      sourceId: row.source_id as number,
      issueId: row.issue_id as string,
      externalIds: externalIds(db, row.error_id as number),
      externalUrl: row.external_url as string | null,
      assignee: row.assignee as string | null,
      status: row.status as StatusCode,
      statusAt: row.status_at as number | null,
      details: row.details as string | null,
      putAt: row.put_at as number,
      hours: buckets(db, row.error_id as number, 1),
      days: buckets(db, row.error_id as number, 24),
    }),
  },
  groupAliases: {
    count: 'SELECT count(*) FROM group_aliases a JOIN errors e ON e.id = a.error_id',
    page: `SELECT a.group_hash AS page_key, a.*, e.leaf, e.grouping_version AS version FROM group_aliases a JOIN errors e ON e.id = a.error_id
      WHERE a.group_hash > ? ORDER BY a.group_hash`,
    first: new Uint8Array(),
    toRow: (row) => ({
      projectId: row.project_id as number,
      groupHash: hex(row.group_hash),
      groupingVersion: row.grouping_version as number,
      leadsTo: hex(row.leaf),
      leadsToVersion: row.version as number,
      origin: row.origin as StoredAliasOrigin,
      weak: row.weak === 1,
      createdAt: row.created_at as number,
      endedAt: row.ended_at as number | null,
    }),
  },
  knownThere: {
    count: 'SELECT count(*) FROM known_events WHERE known = 1',
    page: `SELECT printf('%020d', n.project_id) || hex(n.event_id) AS page_key, n.*, e.leaf FROM known_events n
      LEFT JOIN errors e ON e.id = n.error_id WHERE n.known = 1
        AND (n.project_id, n.event_id) > (CAST(substr(?1, 1, 20) AS INTEGER), unhex(substr(?1, 21)))
      ORDER BY n.project_id, n.event_id`,
    first: '0'.repeat(20),
    toRow: (row) => ({
      projectId: row.project_id as number,
      eventId: hex(row.event_id),
      groupHash: row.leaf === null ? null : hex(row.leaf),
      receivedAt: row.received_at as number | null,
      notedAt: row.noted_at as number,
    }),
  },
  importedEvents: {
    count: 'SELECT count(*) FROM imported_events v JOIN errors e ON e.id = v.error_id',
    page: `SELECT v.id AS page_key, v.*, e.leaf FROM imported_events v JOIN errors e ON e.id = v.error_id
      WHERE v.id > ? ORDER BY v.id`,
    first: 0,
    toRow: (row) => ({
      ...errorOf(row),
      eventId: hex(row.event_id),
      at: row.at as number,
      importedAt: row.imported_at as number,
      payload: row.payload as Uint8Array,
    }),
  },
  errorNotes: {
    count: 'SELECT count(*) FROM error_notes n JOIN errors e ON e.id = n.error_id',
    page: `SELECT printf('%020d', n.error_id) || n.external_id AS page_key, n.*, e.project_id, e.leaf FROM error_notes n
      JOIN errors e ON e.id = n.error_id
      WHERE (n.error_id, n.external_id) > (CAST(substr(?1, 1, 20) AS INTEGER), substr(?1, 21))
      ORDER BY n.error_id, n.external_id`,
    first: '0'.repeat(20),
    toRow: (row) => ({
      ...errorOf(row),
      externalId: row.external_id as string,
      author: row.author as string,
      at: row.at as number,
      text: row.text as string,
    }),
  },
};

function externalIds(db: SqliteDatabase, errorId: number) {
  return db
    .all('SELECT kind, value FROM external_references WHERE error_id = ? ORDER BY kind, folded', errorId)
    .map((row) => ({ kind: row.kind as ReferenceKind, value: row.value as string }));
}

/** Returns counts by whole hours, or days, since the epoch. */
function buckets(db: SqliteDatabase, errorId: number, hours: 1 | 24): Record<number, number> {
  const rows = db.all('SELECT hour, count FROM imported_buckets WHERE error_id = ? AND hours = ?', errorId, hours);
  return Object.fromEntries(rows.map((row) => [(row.hour as number) / hours, row.count as number]));
}

/** Returns what an imported error counts beside its total; null for all others. */
export function importedCounters(db: SqliteDatabase, row: Row): StoredError['imported'] {
  const id = row.id as number;
  const imported = db.get('SELECT tracker_count, base_at, known_at FROM imported_errors WHERE error_id = ?', id);
  if (imported === undefined) return null;
  const newest = db.get('SELECT max(at) AS at FROM events WHERE error_id = ?', id)?.at as number | null;
  const ownLast = Buffer.from(row.last_event as Uint8Array).some((byte) => byte !== 0)
    ? (row.last_seen as number)
    : null;
  return {
    baseCount: row.base_count as number,
    baseUsers: row.base_users as number | null,
    ownUsers: (row.own_users ?? row.user_count) as number,
    trackerCount: imported.tracker_count as number | null,
    baseAt: imported.base_at as number | null,
    knownAt: imported.known_at as number | null,
    ownLastAt: newest === null ? ownLast : Math.max(newest, ownLast ?? newest),
  };
}

/**
 * Returns own events known there whose marks are not copied: those counted by time, and those whose mark was removed with
 * the key.
 */
export function knownBeyondMarks(db: SqliteDatabase, row: Row): number {
  const known = (row.known_both as number) + (row.known_marked as number);
  if (known === 0) return 0;
  const marked = db.number(
    `SELECT count(*) FROM known_events WHERE error_id = ?1 AND known = 1 AND received_at >
      (SELECT coalesce(max(known_until), -1) FROM import_sources WHERE project_id = ?2)`,
    row.id as number,
    row.project_id as number,
  );
  return known - marked;
}
