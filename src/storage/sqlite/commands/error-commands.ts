import type { ErrorStatus, MergedError, Unmerged } from '../../../domain/tracked-error.ts';
import { parseErrorId } from '../../error-id.ts';
import { STATUS_CODES } from '../../error-status.ts';
import { requireGroupSize, requireNotRoot, numbersToMerge } from '../../merge/group.ts';
import type { SqliteDatabase } from '../database.ts';
import { groupOf, membersOf } from '../views/error-groups.ts';
import type { WriteContext } from '../write-context.ts';
import { endAliasesBetween } from './alias-commands.ts';
import { rollUp } from './merge-roll-up.ts';

/** Points all members of the given errors to the least of their roots; moves no rows. */
export function mergeErrors(context: WriteContext, projectId: number, errorIds: readonly string[]): string | null {
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
  const point = db.prepare('UPDATE errors SET merged_into = ? WHERE id = ?');
  for (const each of merged) {
    for (const member of [each, ...membersOf(db, each)]) {
      point.run(root, member);
    }
    db.run('DELETE FROM error_groups WHERE id = ?', each);
  }
  if (merged.size > 0) {
    rollUp(context, root, true);
  }
  return String(root);
}

export function unmergeErrors(
  context: WriteContext,
  projectId: number,
  errorId: string,
  errorIds: readonly string[] | null,
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
    db.run('UPDATE errors SET merged_into = NULL WHERE id = ?', id);
  }
  if (leaving.length > 0) {
    rollUp(context, root, true);
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
): boolean {
  const group = groupOf(db, projectId, errorId);
  if (group === null) {
    return false;
  }
  const newest = 'SELECT max(newest_received) FROM errors WHERE id IN (SELECT value FROM json_each(?))';
  const members = JSON.stringify(group.members);
  db.run(
    `UPDATE errors SET status = ?, resolved_at = max(?, (${newest})), resolved_there = 0, status_changed_at = ?
      WHERE id IN (SELECT value FROM json_each(?))`,
    STATUS_CODES[status],
    status === 'resolved' ? now : null,
    members,
    now,
    members,
  );
  db.run('UPDATE error_groups SET status = ? WHERE id = ?', STATUS_CODES[status], group.root);
  return true;
}
