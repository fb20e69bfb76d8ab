import type { Counted } from '../../../domain/errors/error-state.ts';
import type {
  BulkStatusChange,
  ChangedError,
  ChangedStatus,
  StatusThen,
} from '../../../domain/ports/stores/list-store.ts';
import { countsOccurrences, detailsThen, parseDetails } from '../../../domain/errors/status-details.ts';
import type { ErrorStatus } from '../../../domain/errors/error-status.ts';
import { requireBulkStep } from '../../errors/bulk-step.ts';
import { STATUS_CODES } from '../../errors/error-status.ts';
import { sumProgress } from '../../merge/group.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { Row } from '../engine/driver.ts';
import { groupOf, type ErrorGroup } from '../errors/error-groups.ts';
import { STATE_COLUMNS, toStatusBefore } from '../search/tab-counts.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { detailsOf, setStatusOf } from './error-commands.ts';
import { askReview, endReview } from '../updates/mark-rows.ts';
import { jsonOf, memberProgressOf, PROGRESS_COLUMNS } from '../updates/status-rows.ts';
import { assign, requireAssignee } from './triage-commands.ts';

/** Returns the errors of a bulk command, each once; unknown ids are passed over. Throws `bad_request` for too many. */
export function loadGroups(db: SqliteDatabase, projectId: number, errorIds: readonly string[]): ErrorGroup[] {
  requireBulkStep(errorIds);
  const groups = errorIds.map((id) => groupOf(db, projectId, id)).filter((group) => group !== null);
  return [...new Map(groups.map((group) => [group.root, group])).values()];
}

/** Returns the row of the state of an error; of a merged one with the review of its displayed row. */
function stateOf(db: SqliteDatabase, { root }: ErrorGroup): Row | undefined {
  const shown = db.get('SELECT review_at FROM error_groups WHERE id = ?', root);
  const own = db.get(`SELECT ${STATE_COLUMNS} FROM errors WHERE id = ?`, root);
  return own === undefined ? undefined : { ...own, ...shown };
}

/** Returns what has counted for the condition of an error so far; null: it has none that counts. */
function conditionProgress(
  db: SqliteDatabase,
  { members }: ErrorGroup,
  { status, status_details }: Row,
): Counted | null {
  const details = parseDetails(status_details as string | null);
  if (status !== STATUS_CODES.ignored || !countsOccurrences(details)) return null;
  const sql = `SELECT id, ${PROGRESS_COLUMNS} FROM errors WHERE id IN (SELECT value FROM json_each(?))`;
  const { events, users } = sumProgress(db.all(sql, JSON.stringify(members)).map(memberProgressOf));
  return { events, users };
}

/** Those that have the status and details already only count as looked at. */
export function setErrorStatuses(
  { db }: WriteContext,
  projectId: number,
  errorIds: readonly string[],
  status: ErrorStatus,
  now: number,
  change: BulkStatusChange = {},
): ChangedStatus[] {
  const groups = loadGroups(db, projectId, errorIds);
  const set = groups.length === 0 ? null : detailsOf(db, projectId, status, change);
  const { from } = change;
  return groups.flatMap((group) => {
    const before = stateOf(db, group);
    if (before === undefined) return [];
    const skipped = from !== undefined && !hasStatus(before, from);
    const former = { ...toStatusBefore(before, now), counted: conditionProgress(db, group, before), set, skipped };
    if (skipped) return [former];
    const same = before.status === STATUS_CODES[status] && before.status_details === jsonOf(set);
    if (same && !countsOccurrences(set)) endReview(db, group);
    else {
      const counted = change.counted?.[group.root] ?? null;
      setStatusOf(db, group, { status, details: set, counted }, now, change);
    }
    return [former];
  });
}

/** Whether an error has the status, and its details if those are given. */
function hasStatus(row: Row, from: StatusThen): boolean {
  if (row.status !== STATUS_CODES[from.status]) return false;
  return from.details === undefined || row.status_details === jsonOf(detailsThen(from));
}

export function setAssignees(
  { db }: WriteContext,
  projectId: number,
  errorIds: readonly string[],
  assigneeId: number | null,
  userId: number | null,
  now: number,
  from?: number | null,
): ChangedError[] {
  requireAssignee(db, projectId, assigneeId);
  return loadGroups(db, projectId, errorIds).flatMap((group) => {
    const before = stateOf(db, group);
    if (before === undefined) return [];
    const skipped = from !== undefined && (before.assignee_id ?? null) !== from;
    if (!skipped) assign(db, group, assigneeId, userId, now);
    return [{ ...toStatusBefore(before, now), skipped }];
  });
}

export function reviewErrors(
  { db }: WriteContext,
  projectId: number,
  errorIds: readonly string[],
  reviewed: boolean,
  now: number,
): string[] {
  return loadGroups(db, projectId, errorIds)
    .filter((group) => (reviewed ? endReview(db, group) : askReview(db, group, now)))
    .map(({ root }) => String(root));
}
