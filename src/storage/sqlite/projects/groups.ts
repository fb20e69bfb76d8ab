import { groups, type StoredGroup } from '../../records/kinds/group-kinds.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import { toRecord } from '../records/record-rows.ts';

/** Returns the groups below a path that were made, at any depth, by path. */
export function groupsBelow(db: SqliteDatabase, path: string): StoredGroup[] {
  // `0` is the character after `/`.
  const sql = 'SELECT * FROM groups WHERE path > ? AND path < ? ORDER BY path';
  return db.all(sql, `${path}/`, `${path}0`).map((row) => toRecord(groups, row));
}
