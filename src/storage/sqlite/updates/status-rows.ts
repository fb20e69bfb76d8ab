import type { Counted, StatusDetails } from '../../../domain/errors/error-state.ts';
import type { ErrorStatus } from '../../../domain/errors/error-status.ts';
import { STATUS_CODES, statusName } from '../../errors/error-status.ts';
import type { ErrorDelta } from '../../fold.ts';
import { newestEventPastRelease } from '../../state/newest-passing.ts';
import { parseDetails } from '../../../domain/errors/status-details.ts';
import {
  releaseLimit,
  statusEnd,
  type Occurred,
  type ReleaseLimit,
  type StatusProgress,
} from '../../state/status-end.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { Row } from '../engine/driver.ts';
import type { ErrorGroup } from '../errors/error-groups.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { timeOfRelease } from './release-times.ts';
import { logActivity } from './activity-rows.ts';
import { addStatusFact } from './fact-rows.ts';
import { NO_REVIEW } from './mark-rows.ts';
import { queueRank } from './rank-queue.ts';

/** Columns that `progressOf` reads. */
export const PROGRESS_COLUMNS = `status, resolved_at, status_details, root_details, newest_at, newest_at_release,
  passed_at, passed_release, merged_into, newest_received, count - base_count AS own_events,
  coalesce(own_users, user_count) AS shown_users, muted_events, muted_users, root_events, root_users`;

const text = (value: unknown): string | null => value as string | null;

/** Returns the status of a row and what has happened to it. */
export function progressOf(row: Row): StatusProgress {
  const passedAt = row.passed_at as number | null;
  return {
    status: statusName(row.status as number),
    resolvedAt: row.resolved_at as number | null,
    details: parseDetails(text(row.status_details)),
    newest: { at: row.newest_at as number, release: text(row.newest_at_release) },
    passed: passedAt === null ? null : { at: passedAt, release: text(row.passed_release) },
    events: (row.own_events as number) - ((row.muted_events ?? row.own_events) as number),
    users: (row.shown_users as number) - ((row.muted_users ?? row.shown_users) as number),
    newestReceived: row.newest_received as number,
  };
}

/**
 * Applies the events of a batch to the status of an error, or of the root that it was merged into. A merged error that
 * is ignored is left to its roll-up, because the events of all members count.
 */
export function settleStatus(context: Pick<WriteContext, 'db' | 'now'>, id: number, row: Row, delta: ErrorDelta): void {
  const { db } = context;
  const details = parseDetails(text(row.root_details) ?? text(row.status_details));
  const limit = releaseLimit(details, row.resolved_at as number | null);
  const passed = limit === null ? null : passing(db, delta, limit);
  let progress = progressOf(row);
  if (passed !== null && passed.at > (progress.passed?.at ?? -Infinity)) {
    db.run('UPDATE errors SET passed_at = ?, passed_release = ? WHERE id = ?', passed.at, passed.release, id);
    progress = { ...progress, passed };
  }
  const root = row.merged_into as number | null;
  const end = root !== null && progress.status === 'ignored' ? null : statusEnd(progress);
  if (end === null) return;
  makeUnresolved(db, [id]);
  // The end of a merged error is recorded once, with its root.
  if (root !== null && root !== id) return;
  logActivity(db, id, end);
  const { newest, newestEvent } = delta;
  addStatusFact(context, id, row, end, end.kind === 'unmuted' || end.at === newest.at ? newestEvent : undefined);
}

/** Returns what has happened to a member since the status of its root was set, or since it joined. */
export function memberProgressOf(row: Row): StatusProgress {
  const { id, merged_into: root, root_events: events, root_users: users } = row;
  return progressOf(
    root === null || root === id ? row : { ...row, muted_events: events ?? null, muted_users: users ?? null },
  );
}

/** Status that a person, or a tracker, sets. */
export interface NewStatus {
  readonly status: ErrorStatus;
  readonly details: StatusDetails | null;
  /** Used for resolved ones. */
  readonly resolvedAt: number;
  /** What had counted for its condition before the last change of the status; absent or null: it begins to count now. */
  readonly counted?: Counted | null;
}

/** Assignments by which conditions begin to count. */
const COUNT_NOW = `muted_events = count - base_count, muted_users = coalesce(own_users, user_count),
  root_events = CASE WHEN id = ?5 THEN NULL ELSE count - base_count END,
  root_users = CASE WHEN id = ?5 THEN NULL ELSE coalesce(own_users, user_count) END`;

/**
 * Assignments by which conditions go on to count. Each change of the status begins to count, so what came since is
 * known; the root adds what had counted before: ?7 events, ?8 users.
 */
const COUNT_ON = `muted_events = coalesce(muted_events, count - base_count) - iif(id = ?5, ?7, 0),
  muted_users = coalesce(muted_users, own_users, user_count) - iif(id = ?5, ?8, 0),
  root_events = CASE WHEN id = ?5 THEN NULL ELSE coalesce(root_events, count - base_count) END,
  root_users = CASE WHEN id = ?5 THEN NULL ELSE coalesce(root_users, own_users, user_count) END`;

/** Writes a status to all members of an error and to its displayed row. The review ends. */
export function putStatus(
  db: SqliteDatabase,
  group: Pick<ErrorGroup, 'root' | 'members'>,
  { status, details, resolvedAt, counted = null }: NewStatus,
): void {
  const json = jsonOf(details);
  db.run(
    `UPDATE errors SET status = ?1, resolved_at = ?2, status_details = ?3, muted_until = ?4,
      root_details = CASE WHEN id = ?5 THEN NULL ELSE coalesce(?3, '{}') END,
      ${counted === null ? COUNT_NOW : COUNT_ON}, ${NO_REVIEW}
      WHERE id IN (SELECT value FROM json_each(?6))`,
    ...[STATUS_CODES[status], status === 'resolved' ? resolvedAt : null, json],
    ...[status === 'ignored' ? (details?.ignoreUntil ?? null) : null, group.root, JSON.stringify(group.members)],
    ...(counted === null ? [] : [counted.events, counted.users]),
  );
  const shown = `UPDATE error_groups SET status = ?, status_details = ?, ${NO_REVIEW} WHERE id = ?`;
  db.run(shown, STATUS_CODES[status], json, group.root);
  queueRank(db, [group.root]);
}

/** Returns details as they are stored. */
export function jsonOf(details: StatusDetails | null): string | null {
  return details === null ? null : JSON.stringify(details);
}

/**
 * Ends the own status of errors. What counts for the status of their roots stays. An ignored error does not show what it
 * was ignored in spite of: that it came back before.
 */
export function makeUnresolved(db: SqliteDatabase, ids: readonly number[]): void {
  db.run(
    `UPDATE errors SET regressed_at = iif(status = ${STATUS_CODES.ignored}, NULL, regressed_at),
      status = ${STATUS_CODES.unresolved}, resolved_at = NULL, status_details = NULL,
      muted_until = NULL, muted_events = NULL, muted_users = NULL
      WHERE id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  );
}

function passing(db: SqliteDatabase, { projectId, releases }: ErrorDelta, limit: ReleaseLimit): Occurred | null {
  return newestEventPastRelease(releases, limit, (release) => timeOfRelease(db, projectId, release));
}
