import { parseErrorId } from '../../errors/error-id.ts';
import type { SqliteDatabase } from '../engine/database.ts';

/** Meaning of an error's number: the error itself, or its merge root. */
export interface ErrorGroup {
  /** Number of the displayed error. */
  readonly root: number;
  /** Numbers of the rows with its events, users, hours and tags, ascending; the root's is the first. */
  readonly members: readonly number[];
  /** True when the requested number was merged into the root. */
  readonly moved: boolean;
}

/** Returns the group of an error; null when the project has no such error. */
export function groupOf(db: SqliteDatabase, projectId: number, errorId: string): ErrorGroup | null {
  const id = parseErrorId(errorId);
  const row =
    id === null ? undefined : db.get('SELECT merged_into FROM errors WHERE id = ? AND project_id = ?', id, projectId);
  if (id === null || row === undefined) {
    return null;
  }
  const root = row.merged_into as number | null;
  return root === null
    ? { root: id, members: [id], moved: false }
    : { root, members: membersOf(db, root), moved: root !== id };
}

/** Returns those of the ids that no error of the project has. */
export function unknownErrors(db: SqliteDatabase, projectId: number, errorIds: readonly string[]): string[] {
  return db.snapshot(() => errorIds.filter((id) => groupOf(db, projectId, id) === null));
}

/** Returns the numbers of all rows of a merged error, ascending; none without members. */
export function membersOf(db: SqliteDatabase, root: number): number[] {
  return db.all('SELECT id FROM errors WHERE merged_into = ? ORDER BY id', root).map((row) => row.id as number);
}

export interface OutdatedGroup {
  readonly root: number;
  /** True when members have counted events since. */
  readonly events: boolean;
  /** True when members have counted users since. */
  readonly users: boolean;
}

/**
 * Returns roots whose displayed row differs from their members' counts. Every event changes a count; merging and
 * separating update the displayed row themselves.
 */
export function outdatedGroups(db: SqliteDatabase): OutdatedGroup[] {
  const sql = `SELECT g.id, g.count <> m.count AS events, g.member_users <> m.users AS users
    FROM (SELECT merged_into AS root, sum(count) AS count,
        sum(coalesce(own_users, user_count) + coalesce(base_users, 0)) AS users FROM errors
      WHERE merged_into IS NOT NULL GROUP BY merged_into) m JOIN error_groups g ON g.id = m.root
    WHERE g.count <> m.count OR g.member_users <> m.users`;
  return db.all(sql).map((row) => ({ root: row.id as number, events: row.events === 1, users: row.users === 1 }));
}
