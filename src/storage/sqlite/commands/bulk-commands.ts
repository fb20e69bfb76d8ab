import { AppError } from '../../../domain/app-error.ts';
import type { StatusChange } from '../../../domain/error-state.ts';
import { MAX_BULK_STEP, type StatusBefore } from '../../../domain/ports/list-store.ts';
import type { ErrorStatus } from '../../../domain/tracked-error.ts';
import { STATUS_CODES } from '../../error-status.ts';
import type { SqliteDatabase } from '../database.ts';
import type { Row } from '../driver.ts';
import { groupOf, type ErrorGroup } from '../views/error-groups.ts';
import { STATE_COLUMNS, toStatusBefore } from '../views/tab-counts.ts';
import type { WriteContext } from '../write-context.ts';
import { detailsOf, setStatusOf } from './error-commands.ts';
import { askReview, endReview } from './mark-rows.ts';
import { jsonOf } from './status-rows.ts';
import { assign, requireMember } from './triage-commands.ts';

/** Returns the errors of a bulk command, each once; unknown ids are passed over. Throws `bad_request` for too many. */
export function groupsOf(db: SqliteDatabase, projectId: number, errorIds: readonly string[]): ErrorGroup[] {
  if (errorIds.length > MAX_BULK_STEP) {
    throw new AppError('bad_request', `at most ${MAX_BULK_STEP} errors can be changed at once`);
  }
  const groups = errorIds.map((id) => groupOf(db, projectId, id)).filter((group) => group !== null);
  return [...new Map(groups.map((group) => [group.root, group])).values()];
}

/** Returns the row of the state of an error; of a merged one with the review of its displayed row. */
function stateOf(db: SqliteDatabase, { root }: ErrorGroup): Row | undefined {
  const shown = db.get('SELECT review_at FROM error_groups WHERE id = ?', root);
  const own = db.get(`SELECT ${STATE_COLUMNS} FROM errors WHERE id = ?`, root);
  return own === undefined ? undefined : { ...own, ...shown };
}

/** Those that have the status and details already only count as looked at. */
export function setErrorStatuses(
  { db }: WriteContext,
  projectId: number,
  errorIds: readonly string[],
  status: ErrorStatus,
  now: number,
  change: StatusChange = {},
): StatusBefore[] {
  const groups = groupsOf(db, projectId, errorIds);
  const details = groups.length === 0 ? null : detailsOf(db, projectId, status, change);
  return groups.flatMap((group) => {
    const before = stateOf(db, group);
    if (before === undefined) return [];
    if (before.status === STATUS_CODES[status] && before.status_details === jsonOf(details)) endReview(db, group);
    else setStatusOf(db, group, { status, details }, now, change.userId ?? null);
    return [toStatusBefore(before, now)];
  });
}

export function setAssignees(
  { db }: WriteContext,
  projectId: number,
  errorIds: readonly string[],
  assigneeId: number | null,
  userId: number | null,
  now: number,
): StatusBefore[] {
  requireMember(db, projectId, assigneeId);
  return groupsOf(db, projectId, errorIds).flatMap((group) => {
    const before = stateOf(db, group);
    if (before === undefined) return [];
    assign(db, group, assigneeId, userId, now);
    return [toStatusBefore(before, now)];
  });
}

export function reviewErrors(
  { db }: WriteContext,
  projectId: number,
  errorIds: readonly string[],
  reviewed: boolean,
  now: number,
): string[] {
  return groupsOf(db, projectId, errorIds)
    .filter((group) => (reviewed ? endReview(db, group) : askReview(db, group, now)))
    .map(({ root }) => String(root));
}
