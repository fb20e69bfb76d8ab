import type {
  ErrorNote,
  ExternalId,
  ImportedOrigin,
  ImportSource,
  ReferenceKind,
  SourceKind,
} from '../../../domain/imports/import.ts';
import type { FoundError } from '../../../domain/ports/stores/import-store.ts';
import { isAtLeast } from '../../imports/imported-base.ts';
import { IMPORTED_GROUPING_VERSION } from '../../imports/imported-group-hash.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { Row } from '../engine/driver.ts';
import { knownThereOf, requireImported } from './imported-rows.ts';
import { orNull } from '../engine/rows.ts';
import { groupOf } from './error-groups.ts';
import { parseErrorId } from '../../errors/error-id.ts';
import { EVENT_IDS_LOOKED_UP, MAX_FOUND_BY_FORMER_ID, MAX_IMPORTED_NOTES, MAX_IMPORT_ROWS } from '../../limits.ts';

export const SOURCE_COLUMNS = `id, project_id, kind, url, organization, project, external_project_id, created_at,
  both_receive_until`;

export function toSource(row: Row): ImportSource {
  return {
    id: row.id as number,
    projectId: row.project_id as number,
    kind: row.kind as SourceKind,
    url: row.url as string,
    organization: row.organization as string,
    project: row.project as string,
    externalProjectId: row.external_project_id as string | null,
    createdAt: row.created_at as number,
    bothReceiveUntil: row.both_receive_until as number | null,
  };
}

export function sourceById(db: SqliteDatabase, id: number): ImportSource | null {
  return orNull(db.get(`SELECT ${SOURCE_COLUMNS} FROM import_sources WHERE id = ?`, id), toSource);
}

export function listImportSources(db: SqliteDatabase, projectId: number | null): ImportSource[] {
  const sql = `SELECT ${SOURCE_COLUMNS} FROM import_sources`;
  const rows =
    projectId === null ? db.all(`${sql} ORDER BY id`) : db.all(`${sql} WHERE project_id = ? ORDER BY id`, projectId);
  return rows.map(toSource);
}

export function listImportStates(db: SqliteDatabase, prefix: string): (readonly [key: string, state: string])[] {
  return db
    .all('SELECT key, state FROM import_states WHERE substr(key, 1, length(?1)) = ?1 ORDER BY key', prefix)
    .map((row) => [row.key as string, row.state as string] as const);
}

export function missingIssues(db: SqliteDatabase, sourceId: number, seenBefore: number): string[] {
  return db
    .all(
      'SELECT issue_id FROM imported_errors WHERE source_id = ? AND put_at < ? ORDER BY put_at, issue_id LIMIT ?',
      sourceId,
      seenBefore,
      MAX_IMPORT_ROWS,
    )
    .map((row) => row.issue_id as string);
}

export function knownThere(db: SqliteDatabase, projectId: number, errorId: string): number {
  return db.snapshot(() => {
    const { id, group } = requireImported(db, projectId, errorId);
    return knownThereOf(db, id, group);
  });
}

export function unknownThere(db: SqliteDatabase, projectId: number): number {
  return db.number(
    `SELECT coalesce(sum(max(0, count - base_count - known_both - known_marked)), 0) FROM errors
      WHERE project_id = ?1 AND coalesce(merged_into, id) IN (SELECT coalesce(i.merged_into, i.id) FROM errors i
        WHERE i.project_id = ?1 AND i.grouping_version = ?2)`,
    projectId,
    IMPORTED_GROUPING_VERSION,
  );
}

export function unmergedAliases(db: SqliteDatabase, projectId: number): { errorId: string; ownErrorId: string }[] {
  return db
    .all(
      `SELECT a.error_id, o.id FROM group_aliases a CROSS JOIN errors i ON i.id = a.error_id
        CROSS JOIN errors o ON o.leaf = a.group_hash
        WHERE a.project_id = ? AND a.ended_at IS NULL AND i.grouping_version = ${IMPORTED_GROUPING_VERSION}
          AND coalesce(o.merged_into, o.id) <> coalesce(i.merged_into, i.id)
        ORDER BY a.error_id, o.id LIMIT ?`,
      projectId,
      MAX_IMPORT_ROWS,
    )
    .map((row) => ({ errorId: String(row.error_id), ownErrorId: String(row.id) }));
}

export function errorsToLookUp(
  db: SqliteDatabase,
  projectId: number,
  after: string | null,
  limit: number,
): { errorId: string; eventIds: string[] }[] {
  return db.snapshot(() => {
    const rows = db.all(
      `SELECT e.id FROM errors e WHERE e.project_id = ? AND e.id > ? AND e.grouping_version <> ?
        AND (e.merged_into IS NULL OR NOT EXISTS (SELECT 1 FROM errors m JOIN imported_errors i ON i.error_id = m.id
          WHERE m.merged_into = e.merged_into))
        ORDER BY e.id LIMIT ?`,
      projectId,
      after === null ? 0 : (parseErrorId(after) ?? 0),
      IMPORTED_GROUPING_VERSION,
      limit,
    );
    return rows.map(({ id }) => ({ errorId: String(id), eventIds: newestEventIds(db, id as number) }));
  });
}

function newestEventIds(db: SqliteDatabase, errorId: number): string[] {
  return db
    .all(
      `SELECT lower(hex(k.event_id)) AS event_id FROM events v JOIN event_keys k ON k.id = v.id
        WHERE v.error_id = ? ORDER BY v.at DESC, v.id DESC LIMIT ?`,
      errorId,
      EVENT_IDS_LOOKED_UP,
    )
    .map((row) => row.event_id as string);
}

export function findByExternalId(db: SqliteDatabase, projectId: number | null, value: string): FoundError[] {
  const sql = `SELECT DISTINCT r.project_id, coalesce(e.merged_into, e.id) AS id FROM external_references r
    JOIN errors e ON e.id = r.error_id JOIN projects p ON p.id = r.project_id WHERE r.folded = ?`;
  const order = `ORDER BY r.project_id, 2 LIMIT ${MAX_FOUND_BY_FORMER_ID}`;
  const rows =
    projectId === null
      ? db.all(`${sql} ${order}`, value.toLowerCase())
      : db.all(`${sql} AND r.project_id = ? ${order}`, value.toLowerCase(), projectId);
  return rows.map((row) => ({ projectId: row.project_id as number, errorId: String(row.id) }));
}

/** Returns the external ids of the errors with the given rows; `shownAs`: error under which each row's are shown. */
export function externalIdsOf(
  db: SqliteDatabase,
  shownAs: ReadonlyMap<number, number>,
): (errorId: number) => readonly ExternalId[] {
  const found = new Map<number, ExternalId[]>();
  const rows = db.all(
    `SELECT error_id, kind, value FROM external_references WHERE error_id IN (SELECT value FROM json_each(?))
      ORDER BY error_id, kind, folded`,
    JSON.stringify([...shownAs.keys()]),
  );
  for (const row of rows) {
    const root = shownAs.get(row.error_id as number) ?? 0;
    const list = found.get(root) ?? [];
    list.push({ kind: row.kind as ReferenceKind, value: row.value as string });
    found.set(root, list);
  }
  return (errorId) => found.get(errorId) ?? [];
}

export function importedOrigin(db: SqliteDatabase, projectId: number, errorId: string): ImportedOrigin | null {
  return db.snapshot(() => {
    const group = groupOf(db, projectId, errorId);
    return group === null ? null : originOf(db, group.members);
  });
}

/** Returns the origin of an error with the given rows; null when none of them was imported. */
export function originOf(db: SqliteDatabase, members: readonly number[]): ImportedOrigin | null {
  const ids = JSON.stringify(members);
  const rows = db.all(
    `SELECT i.*, s.kind, e.base_count, e.base_users, e.status AS shown_status, e.status_changed_at FROM imported_errors i
      JOIN import_sources s ON s.id = i.source_id JOIN errors e ON e.id = i.error_id
      WHERE i.error_id IN (SELECT value FROM json_each(?)) ORDER BY i.error_id`,
    ids,
  );
  const [first] = rows;
  if (first === undefined) return null;
  const shownAs = new Map(rows.map((row) => [row.error_id as number, 0]));
  const knownBoth = db.number('SELECT sum(known_both) FROM errors WHERE id IN (SELECT value FROM json_each(?))', ids);
  const users = rows.map((row) => row.base_users as number | null).filter((each) => each !== null);
  const details = first.shown_status === first.status ? (first.details as string | null) : null;
  return {
    kind: first.kind as SourceKind,
    externalIds: externalIdsOf(db, shownAs)(0),
    externalUrl: first.external_url as string | null,
    baseCount: rows.reduce((sum, row) => sum + (row.base_count as number), 0),
    baseUsers: users.length === 0 ? null : Math.max(...users),
    baseAt: first.base_at as number | null,
    atLeast: rows.some((row) =>
      isAtLeast({ trackerCount: row.tracker_count as number | null }, row.known_at as number | null, knownBoth),
    ),
    statusDetails: details,
    assignee: first.assignee as string | null,
    notes: notesOf(db, ids),
  };
}

/** Returns the newest notes, oldest first. */
export function notesOf(db: SqliteDatabase, ids: string): ErrorNote[] {
  return db
    .all(
      `SELECT external_id, author, at, text FROM error_notes WHERE error_id IN (SELECT value FROM json_each(?))
        ORDER BY at DESC, external_id DESC LIMIT ?`,
      ids,
      MAX_IMPORTED_NOTES,
    )
    .reverse()
    .map((row) => ({
      externalId: row.external_id as string,
      author: row.author as string,
      at: row.at as number,
      text: row.text as string,
    }));
}
