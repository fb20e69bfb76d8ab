import { usersStep } from '../../../domain/alerts/alert-fact.ts';
import type { BaseResult, ImportedCounts, ImportedError } from '../../../domain/imports/import.ts';
import { STATUS_CODES, statusName } from '../../errors/error-status.ts';
import { hourOf } from '../../fold.ts';
import { bucketsWithoutOwn, nextBase } from '../../imports/imported-base.ts';
import { importedTexts } from '../../imports/imported-texts.ts';
import { IMPORTED_GROUPING_VERSION, importedGroupHash, NO_EVENT_ID } from '../../imports/imported-group-hash.ts';
import { MAX_ACTIVITY, type ActivityDetails } from '../../../domain/errors/error-state.ts';
import { importedDetails } from '../../../domain/imports/imported-details.ts';
import { resolvedThereAt, takesOverStatus } from '../../imports/imported-status.ts';
import { mayBeAssigned } from '../../state/assignees.ts';
import { searchText } from '../../search/search-text.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { Row } from '../engine/driver.ts';
import { SET_TEXTS, TEXT_COLUMNS, textsIn, textValues } from '../errors/error-columns.ts';
import { groupOf } from '../errors/error-groups.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { knownThereOf, requireImported } from '../errors/imported-rows.ts';
import { requireSource } from './import-sources.ts';
import { accessLevel } from '../projects/roles.ts';
import { newestRelease } from '../releases/newest-release.ts';
import { logActivity } from '../updates/activity-rows.ts';
import { putMarks } from '../updates/mark-rows.ts';
import { rollUp } from '../merging/merge-roll-up.ts';
import { putStatus, type NewStatus } from '../updates/status-rows.ts';
import { AppError } from '../../../domain/app-error.ts';

const NO_EVENT = Buffer.from(NO_EVENT_ID, 'hex');
const CREATE = `INSERT INTO errors (project_id, leaf, grouping_version, own_users, newest_received, first_seen,
  first_event, first_release, last_seen, last_event, last_release, ${TEXT_COLUMNS.join(', ')})
  VALUES (?, ?, ?, 0, 0, ?, ?, ?, ?, ?, ?, ${TEXT_COLUMNS.map(() => '?').join(', ')})`;
// A list of issues does not tell releases: the known one stays.
const SET_FIRST =
  'UPDATE errors SET first_seen = ?, first_event = ?, first_release = coalesce(?, first_release) WHERE id = ?';
const SET_LAST = `UPDATE errors SET last_seen = ?, last_event = ?, last_release = coalesce(?, last_release), ${SET_TEXTS}
  WHERE id = ?`;

export function putImportedError(
  context: WriteContext,
  projectId: number,
  error: ImportedError,
  now: number,
): { errorId: string; created: boolean } | null {
  const { db } = context;
  if (requireSource(db, error.sourceId).projectId !== projectId) {
    throw new AppError('not_found', `the project has no import source ${error.sourceId}`);
  }
  const groupHash = Buffer.from(importedGroupHash(projectId, error.sourceId, error.issueId), 'hex');
  const before = db.get('SELECT * FROM errors WHERE leaf = ?', groupHash);
  const dropped = 'SELECT 1 FROM discarded_hashes WHERE group_hash = ?';
  if (before === undefined && db.get(dropped, groupHash) !== undefined) return null;
  const id = before === undefined ? create(db, projectId, groupHash, error, now) : (before.id as number);
  if (before !== undefined) bringUpToDate(db, before, error, now);
  putImported(db, id, error, now);
  putReferences(db, projectId, id, error);
  if (error.assigneeId !== undefined) assign(db, projectId, id, error.assigneeId, now);
  const root = before?.merged_into ?? null;
  if (root !== null) rollUp(context, root as number, false);
  return { errorId: String(id), created: before === undefined };
}

function create(db: SqliteDatabase, projectId: number, groupHash: Buffer, error: ImportedError, now: number): number {
  const { firstSeen, lastSeen } = error;
  const texts = importedTexts(error);
  const id = db.insert(
    CREATE,
    ...[projectId, groupHash, IMPORTED_GROUPING_VERSION],
    ...[firstSeen, NO_EVENT, error.firstRelease, lastSeen, NO_EVENT, error.lastRelease],
    ...textValues(texts, searchText(texts)),
  );
  putStatus(db, { root: id, members: [id] }, statusOf(db, projectId, error));
  if (error.marks !== undefined) putMarks(db, id, error.marks);
  logActivity(db, id, { at: now, kind: 'imported', userId: null, details: originOf(db, error) });
  return id;
}

/** Assigns an error that was never assigned or unassigned here, as far as its log shows all that happened. */
function assign(db: SqliteDatabase, projectId: number, id: number, assigneeId: number, now: number): void {
  const level = accessLevel(db, projectId, assigneeId);
  if (level === null || !mayBeAssigned(level)) return;
  const assigned = db.run(
    `UPDATE errors SET assignee_id = ?1 WHERE id = ?2 AND assignee_id IS NULL AND merged_into IS NULL
      AND NOT EXISTS (SELECT 1 FROM error_activity WHERE error_id = ?2 AND kind IN ('assigned', 'unassigned')
        AND json_extract(details, '$.importedId') IS NULL)
      AND (SELECT count(*) FROM error_activity WHERE error_id = ?2) < ${MAX_ACTIVITY}`,
    ...[assigneeId, id],
  );
  if (assigned > 0) logActivity(db, id, { at: now, kind: 'assigned', userId: null, details: { assigneeId } });
}

/** Returns the status of an issue. Own events reopen it that happened after it was resolved there. */
function statusOf(db: SqliteDatabase, projectId: number, { status, lastSeen }: ImportedError): NewStatus {
  const resolvedAt = resolvedThereAt(status, lastSeen);
  const { details } = importedDetails(status, newestRelease(db, projectId, resolvedAt));
  return { status: status.status, details, resolvedAt };
}

function originOf(db: SqliteDatabase, { sourceId, issueId }: ImportedError): ActivityDetails {
  return { source: requireSource(db, sourceId).kind, issueId };
}

/** Updates times and texts that no own event has replaced, and the status. */
function bringUpToDate(db: SqliteDatabase, before: Row, error: ImportedError, now: number): void {
  const id = before.id as number;
  const firstSeen = before.first_seen as number;
  const isFirst = NO_EVENT.compare(before.first_event as Uint8Array) === 0;
  if (error.firstSeen < firstSeen || (error.firstSeen === firstSeen && isFirst)) {
    db.run(SET_FIRST, error.firstSeen, NO_EVENT, error.firstRelease, id);
  }
  const ownLast = NO_EVENT.compare(before.last_event as Uint8Array) !== 0;
  const lastSeen = before.last_seen as number;
  if (!ownLast || error.lastSeen > lastSeen) {
    const texts = importedTexts(error, textsIn(before));
    db.run(
      SET_LAST,
      ...[Math.max(error.lastSeen, lastSeen), NO_EVENT, error.lastRelease],
      ...[...textValues(texts, searchText(texts)), id],
    );
  }
  takeStatus(db, before, error, ownLast ? lastSeen : null, now);
}

/** Takes over a status that changed in the tracker, for all members of a merged error. */
function takeStatus(
  db: SqliteDatabase,
  before: Row,
  error: ImportedError,
  ownLastAt: number | null,
  now: number,
): void {
  const id = before.id as number;
  const imported = db.get('SELECT status, status_at, put_at FROM imported_errors WHERE error_id = ?', id);
  const group = groupOf(db, before.project_id as number, String(id));
  if (imported === undefined || group === null) return;
  const { status } = error;
  const members = JSON.stringify(group.members);
  const changedHere = db.get(
    'SELECT max(status_changed_at) AS at FROM errors WHERE id IN (SELECT value FROM json_each(?))',
    members,
  );
  const known = {
    status: statusName(imported.status as number),
    changedAt: imported.status_at as number | null,
    putAt: imported.put_at as number,
    changedHereAt: (changedHere?.at ?? null) as number | null,
    ownLastAt,
  };
  if (!takesOverStatus(known, status)) return;
  const taken = statusOf(db, before.project_id as number, error);
  putStatus(db, group, taken);
  logActivity(db, group.root, {
    at: status.changedAt ?? now,
    kind: status.status,
    userId: null,
    details: { ...(taken.details === null ? {} : { status: taken.details }), ...originOf(db, error) },
  });
}

/** Writes what the tracker says of the issue. */
function putImported(db: SqliteDatabase, id: number, error: ImportedError, now: number): void {
  const { sourceId, issueId, assignee, externalUrl, status } = error;
  db.run(
    `INSERT INTO imported_errors (error_id, source_id, issue_id, status, status_at, details, assignee, external_url,
      put_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET status = excluded.status,
      status_at = CASE WHEN excluded.status = status THEN coalesce(excluded.status_at, status_at)
        ELSE excluded.status_at END,
      details = CASE WHEN excluded.status = status THEN coalesce(excluded.details, details)
        ELSE excluded.details END, assignee = excluded.assignee,
      external_url = excluded.external_url, put_at = max(put_at, excluded.put_at)`,
    ...[id, sourceId, issueId, STATUS_CODES[status.status], status.changedAt, status.details],
    ...[assignee, externalUrl, now],
  );
}

function putReferences(db: SqliteDatabase, projectId: number, id: number, { externalIds }: ImportedError): void {
  const insert = db.prepare(
    `INSERT INTO external_references (folded, project_id, error_id, kind, value) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING`,
  );
  for (const { kind, value } of externalIds) insert.run(value.toLowerCase(), projectId, id, kind, value);
}

export function setBase(context: WriteContext, projectId: number, errorId: string, counts: ImportedCounts): BaseResult {
  const { db } = context;
  const { id, group, row } = requireImported(db, projectId, errorId);
  const before = {
    baseCount: row.base_count as number,
    baseUsers: row.base_users as number | null,
    trackerCount: row.tracker_count as number | null,
    baseAt: row.base_at as number | null,
  };
  const knownThere = knownThereOf(db, id, group);
  const { result, baseCount, baseUsers } = nextBase(before, counts, knownThere);
  if (result === 'moved' || result === 'fewer' || (before.baseAt ?? counts.at) > counts.at) return result;
  if (result === 'set') {
    db.run(
      `UPDATE errors SET count = count - base_count + ?1, base_count = ?1, base_users = ?2,
        user_count = max(coalesce(?2, 0), coalesce(own_users, user_count)), own_users = coalesce(own_users, user_count),
        users_step = max(users_step, ?3) WHERE id = ?4`,
      baseCount,
      baseUsers,
      usersStep(baseUsers ?? 0),
      id,
    );
  }
  db.run(
    'UPDATE imported_errors SET tracker_count = ?, base_at = ?, known_at = ? WHERE error_id = ?',
    ...[counts.count, counts.at, knownThere, id],
  );
  putBuckets(db, id, group.members, counts, knownThere);
  if (result === 'set' && group.members.length > 1) rollUp(context, group.root, true);
  return result;
}

/** Replaces the charts; one that the tracker does not have stays as it was. */
function putBuckets(
  db: SqliteDatabase,
  id: number,
  members: readonly number[],
  { hours, days }: ImportedCounts,
  knownThere: number,
): void {
  const insert = db.prepare(
    'INSERT OR REPLACE INTO imported_buckets (error_id, hours, hour, count) VALUES (?, ?, ?, ?)',
  );
  for (const [width, buckets] of [
    [1, hours],
    [24, days],
  ] as const) {
    if (buckets.length === 0) continue;
    db.run('DELETE FROM imported_buckets WHERE error_id = ? AND hours = ?', id, width);
    const own = knownThere === 0 ? () => 0 : ownCounts(db, members, width);
    for (const [start, count] of bucketsWithoutOwn(buckets, knownThere, own)) {
      if (count > 0) insert.run(id, width, hourOf(start * 1000), count);
    }
  }
}

function ownCounts(db: SqliteDatabase, members: readonly number[], width: number): (startSeconds: number) => number {
  const sql = `SELECT coalesce(sum(count), 0) FROM error_hours
    WHERE error_id IN (SELECT value FROM json_each(?)) AND hour >= ? AND hour < ?`;
  return (startSeconds) => {
    const hour = hourOf(startSeconds * 1000);
    return db.number(sql, JSON.stringify(members), hour, hour + width);
  };
}
