import type { MergedError, Unmerged } from '../../../domain/tracked-error.ts';
import { parseErrorId } from '../../error-id.ts';
import { demandGroupSize, demandNotRoot, numbersToMerge } from '../../merge/group.ts';
import type { SqliteDatabase } from '../database.ts';
import { groupOf, membersOf } from '../views/error-groups.ts';
import type { WriteContext } from '../write-context.ts';
import { rollUp } from './merge-roll-up.ts';

/** Points everything that the ids stand for to the least of their roots; nothing is moved. */
export function mergeErrors(context: WriteContext, projectId: number, errorIds: readonly string[]): string | null {
  const { db } = context;
  const numbers = numbersToMerge(errorIds);
  const groups = numbers?.map((id) => groupOf(db, projectId, String(id))) ?? [null];
  const known = groups.filter((group) => group !== null);
  if (known.length < groups.length) {
    return null;
  }
  const members = new Set(known.flatMap((group) => group.members));
  demandGroupSize(members.size);
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
  demandNotRoot(root, numbers?.filter((id) => id !== null) ?? []);
  const leaving = members.filter((id) => id !== root && (numbers?.includes(id) ?? true));
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
