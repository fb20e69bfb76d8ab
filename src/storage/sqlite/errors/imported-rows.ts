import { AppError } from '../../../domain/app-error.ts';
import { parseErrorId } from '../../errors/error-id.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { Row } from '../engine/driver.ts';
import { groupOf, type ErrorGroup } from './error-groups.ts';

/** Imported error with the error's counts. */
export interface ImportedRow {
  readonly id: number;
  readonly group: ErrorGroup;
  readonly row: Row;
}

/** Returns an imported error of the project; throws `not_found` when there is none. */
export function requireImported(db: SqliteDatabase, projectId: number, errorId: string): ImportedRow {
  const id = parseErrorId(errorId);
  const group = groupOf(db, projectId, errorId);
  const row =
    id === null || group === null
      ? undefined
      : db.get('SELECT i.*, e.* FROM imported_errors i JOIN errors e ON e.id = i.error_id WHERE i.error_id = ?', id);
  if (id === null || group === null || row === undefined) {
    throw new AppError('not_found', `the project has no imported error ${errorId}`);
  }
  return { id, group, row };
}

/** Returns the members of a group that were imported, ascending. */
export function importedMembers(db: SqliteDatabase, members: readonly number[]): number[] {
  return db
    .all(
      'SELECT error_id FROM imported_errors WHERE error_id IN (SELECT value FROM json_each(?)) ORDER BY error_id',
      JSON.stringify(members),
    )
    .map((row) => row.error_id as number);
}

/**
 * Returns the number of own events of an imported error that its tracker has. Own members of its group count for the
 * group's first imported error, so that each event is subtracted once.
 */
export function knownThereOf(db: SqliteDatabase, id: number, { members }: ErrorGroup): number {
  const imported = members.length === 1 ? members : importedMembers(db, members);
  const counted = imported[0] === id ? members.filter((member) => member === id || !imported.includes(member)) : [id];
  return db.number(
    'SELECT sum(known_both + known_marked) FROM errors WHERE id IN (SELECT value FROM json_each(?))',
    JSON.stringify(counted),
  );
}
