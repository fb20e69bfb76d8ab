import { statusParticulars, type StatusChange, type StatusDetails } from '../../../domain/errors/error-state.ts';
import { detailsToStore, needsNewestRelease } from '../../../domain/errors/status-details.ts';
import type { MergedError, Unmerged } from '../../../domain/errors/tracked-error.ts';
import type { ErrorStatus } from '../../../domain/errors/error-status.ts';
import { parseErrorId } from '../../errors/error-id.ts';
import { STATUS_CODES } from '../../errors/error-status.ts';
import { requireGroupSize, requireNotRoot, numbersToMerge } from '../../merge/group.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import { groupOf, membersOf, type ErrorGroup } from '../errors/error-groups.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { endAliasesBetween } from '../imports/alias-commands.ts';
import { newestRelease } from '../releases/newest-release.ts';
import { logActivity } from '../updates/activity-rows.ts';
import { rollUp } from '../merging/merge-roll-up.ts';
import { rankRoots } from '../updates/rank-errors.ts';
import { jsonOf, putStatus, type NewStatus } from '../updates/status-rows.ts';

/** Points all members of the given errors to the least of their roots; moves no rows. */
export function mergeErrors(
  context: WriteContext,
  projectId: number,
  errorIds: readonly string[],
  userId: number | null = null,
): string | null {
  const { db } = context;
  const numbers = numbersToMerge(errorIds);
  const groups = numbers?.map((id) => groupOf(db, projectId, String(id))) ?? [null];
  const known = groups.filter((group) => group !== null);
  if (known.length < groups.length) {
    return null;
  }
  const members = new Set(known.flatMap((group) => group.members));
  requireGroupSize(members.size);
  const root = Math.min(...known.map((group) => group.root));
  const merged = new Set(known.map((group) => group.root).filter((each) => each !== root));
  for (const each of merged) {
    for (const member of [each, ...membersOf(db, each)]) {
      db.run(POINT, root, member);
    }
    db.run('DELETE FROM error_groups WHERE id = ?', each);
  }
  if (merged.size > 0) {
    takeAssignee(db, root, [...members]);
    // Recorded with each merged error, whose log the root shows.
    const at = context.now();
    for (const each of merged) {
      logActivity(db, each, { at, kind: 'merged', userId, details: { errorIds: [String(each)] } });
    }
    rollUp(context, root, true);
    // Ranked lists pass over errors without a rank.
    rankRoots(db, [root], context.now());
  }
  return String(root);
}

/** Gives a root without an assignee that of its first member with one. */
function takeAssignee(db: SqliteDatabase, root: number, members: readonly number[]): void {
  db.run(
    `UPDATE errors SET assignee_id = (SELECT assignee_id FROM errors WHERE assignee_id IS NOT NULL
      AND id IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT 1) WHERE id = ? AND assignee_id IS NULL`,
    JSON.stringify(members),
    root,
  );
}

/** Points an error to another root, or to none. Its events count for the status of that root from then on. */
const POINT = `UPDATE errors SET merged_into = ?, root_details = NULL, root_events = NULL, root_users = NULL
  WHERE id = ?`;

export function unmergeErrors(
  context: WriteContext,
  projectId: number,
  errorId: string,
  errorIds: readonly string[] | null,
  userId: number | null = null,
): Unmerged | null {
  const { db } = context;
  const group = groupOf(db, projectId, errorId);
  const numbers = errorIds?.map(parseErrorId) ?? (group?.moved === true ? [parseErrorId(errorId)] : null);
  if (group === null || numbers?.some((id) => groupOf(db, projectId, String(id)) === null) === true) {
    return null;
  }
  const { root, members } = group;
  requireNotRoot(root, numbers?.filter((id) => id !== null) ?? []);
  const leaving = members.filter((id) => id !== root && (numbers?.includes(id) ?? true));
  if (leaving.length > 0) endAliasesBetween(context, members, leaving);
  for (const id of leaving) {
    db.run(POINT, null, id);
  }
  if (leaving.length > 0) {
    const at = context.now();
    for (const id of leaving) {
      logActivity(db, id, { at, kind: 'unmerged', userId, details: { errorIds: [String(root)] } });
    }
    logActivity(db, root, { at, kind: 'unmerged', userId, details: { errorIds: leaving.map(String) } });
    rollUp(context, root, true);
    // Ranked lists pass over errors without a rank.
    rankRoots(db, [root, ...leaving], at);
  }
  return { errorId: String(root), separated: leaving.map((id) => asMerged(db, id)) };
}

function asMerged(db: SqliteDatabase, id: number): MergedError {
  const row = db.get('SELECT title, count FROM errors WHERE id = ?', id);
  return { id: String(id), title: row?.title as string, count: row?.count as number };
}

/** Sets the status of an error. Every member of a merged error gets it, so that it keeps it after separation. */
export function setErrorStatus(
  { db }: WriteContext,
  projectId: number,
  errorId: string,
  status: ErrorStatus,
  now: number,
  change: StatusChange = {},
): boolean {
  const group = groupOf(db, projectId, errorId);
  if (group === null) {
    return false;
  }
  setStatusOf(db, group, { status, details: detailsOf(db, projectId, status, change) }, now, change);
  return true;
}

/** Returns the details that a status gets; see `detailsToStore`. */
export function detailsOf(
  db: SqliteDatabase,
  projectId: number,
  status: ErrorStatus,
  { details }: StatusChange,
): StatusDetails | null {
  return detailsToStore(status, details, needsNewestRelease(details) ? newestRelease(db, projectId, Infinity) : null);
}

/** Sets the status of all members. Adds an activity when the status or its details change. */
export function setStatusOf(
  db: SqliteDatabase,
  group: ErrorGroup,
  { status, details, counted = null }: Omit<NewStatus, 'resolvedAt'>,
  now: number,
  change: StatusChange,
): void {
  const members = JSON.stringify(group.members);
  const newest = 'SELECT max(newest_received) AS at FROM errors WHERE id IN (SELECT value FROM json_each(?))';
  const resolvedAt = Math.max(now, Number(db.get(newest, members)?.at ?? 0));
  const before = db.get('SELECT status, status_details FROM errors WHERE id = ?', group.root);
  putStatus(db, group, { status, details, resolvedAt, counted });
  db.run('UPDATE errors SET status_changed_at = ? WHERE id IN (SELECT value FROM json_each(?))', now, members);
  if (before?.status !== STATUS_CODES[status] || before.status_details !== jsonOf(details)) {
    const { userId = null } = change;
    logActivity(db, group.root, { at: now, kind: status, userId, details: statusParticulars(details, change) });
  }
}
