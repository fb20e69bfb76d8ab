import { AppError } from '../../../domain/app-error.ts';
import { snakeCase, type AnyKind, type AnyRow, type Kind } from '../../records/kind.ts';
import { kindOf } from '../../records/kinds.ts';
import type { Check, Condition, Requirement, Write } from '../../records/writes.ts';
import { raiseIngestVersion } from '../engine/ingest-version.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { SqlValue } from '../engine/driver.ts';
import { column, toRecord, valuesOf } from './record-rows.ts';

const list = (members: readonly string[], text: (member: string) => string, between = ', ') =>
  members.map(text).join(between);

/** Returns a condition on values, which may be null, and the values. An empty one holds for all rows. */
function conditionOf(kind: AnyKind, where: AnyRow): readonly [string, SqlValue[]] {
  const members = Object.keys(where);
  const sql = members.length === 0 ? 'TRUE' : list(members, (member) => `${column(member)} IS ?`, ' AND ');
  return [sql, valuesOf(kind, members, where)];
}

/** Lists rows in the order of their keys. */
export function listRecords<R, K extends keyof R & string>(
  db: SqliteDatabase,
  kind: Kind<R, K>,
  where: Condition<R>,
): R[] {
  const [condition, values] = conditionOf(kind, where);
  const sql = `SELECT * FROM ${snakeCase(kind.name)} WHERE ${condition} ORDER BY ${list(kind.key, column)}`;
  return db.all(sql, ...values).map((row) => toRecord(kind, row));
}

/** Checks the requirements, then writes, within the transaction of the caller. */
export function writeRecords(
  db: SqliteDatabase,
  writes: readonly Write[],
  requirements: readonly Requirement[] = [],
): unknown[] {
  for (const { needed, code, message } of requirements) {
    if (!holds(db, needed)) throw new AppError(code, message);
  }
  const results = writes.map((write) => writeRecord(db, write));
  if (writes.some((write) => kindOf(write.kind).ingest)) raiseIngestVersion({ db });
  return results;
}

function writeRecord(db: SqliteDatabase, write: Write): unknown {
  const kind = kindOf(write.kind);
  const isAllowed = (write.when ?? []).every((check) => holds(db, check));
  if (write.op === 'insert') return isAllowed ? insertRecord(db, kind, write.row) : null;
  if (!isAllowed) return false;
  if (write.op === 'put') return putRecord(db, kind, write.row);
  const [condition, values] = conditionOf(kind, { ...write.row, ...write.if });
  const table = snakeCase(kind.name);
  if (write.op === 'remove') return db.run(`DELETE FROM ${table} WHERE ${condition}`, ...values) > 0;
  const members = Object.keys(write.set ?? {});
  if (members.length === 0) return db.get(`SELECT 1 FROM ${table} WHERE ${condition}`, ...values) !== undefined;
  const sql = `UPDATE ${table} SET ${list(members, (member) => `${column(member)} = ?`)} WHERE ${condition}`;
  return db.run(sql, ...valuesOf(kind, members, write.set ?? {}), ...values) > 0;
}

function insertRecord(db: SqliteDatabase, kind: AnyKind, row: AnyRow): AnyRow | null {
  const members = Object.keys(kind.members).filter((member) => !kind.numbered || Object.hasOwn(row, member));
  const added = db.get(
    `${insertion(kind, members)} ON CONFLICT DO NOTHING RETURNING *`,
    ...valuesOf(kind, members, row),
  );
  return added === undefined ? null : toRecord(kind, added);
}

function putRecord(db: SqliteDatabase, kind: AnyKind, row: AnyRow): true {
  const members = Object.keys(kind.members);
  const others = members.filter((member) => !kind.key.includes(member));
  const update = list(others, (member) => `${column(member)} = excluded.${column(member)}`);
  const conflict = `(${list(kind.key, column)}) DO ${others.length === 0 ? 'NOTHING' : `UPDATE SET ${update}`}`;
  db.run(`${insertion(kind, members)} ON CONFLICT ${conflict}`, ...valuesOf(kind, members, row));
  return true;
}

function insertion(kind: AnyKind, members: readonly string[]): string {
  const table = snakeCase(kind.name);
  return `INSERT INTO ${table} (${list(members, column)}) VALUES (${list(members, () => '?')})`;
}

function holds(db: SqliteDatabase, needed: Check): boolean {
  const from = `FROM ${snakeCase(needed.of.name)} WHERE`;
  // Conditions on keys have numbers and texts alone, which need no conversion.
  const equal = (values: AnyRow) => list(Object.keys(values), (member) => `${column(member)} = ?`, ' AND ');
  const bound = (values: AnyRow) => Object.values(values) as SqlValue[];
  if (needed.check === 'fewer') {
    const { where, limit, besides } = needed;
    const others = besides === null ? '' : ` AND NOT (${equal(besides)})`;
    return (
      db.number(`SELECT count(*) ${from} ${equal(where)}${others}`, ...bound(where), ...bound(besides ?? {})) < limit
    );
  }
  const { key, check } = needed;
  return (db.get(`SELECT 1 ${from} ${equal(key)}`, ...bound(key)) !== undefined) === (check === 'exists');
}
