import { AppError } from '../../../domain/app-error.ts';
import { tableName, type AnyKind, type AnyRow, type Kind } from '../../records/kind.ts';
import { kindOf } from '../../records/kinds.ts';
import type { Part } from '../../records/records.ts';
import type { Check, Condition, Requirement, Write } from '../../records/writes.ts';
import { raiseIngestVersion } from '../engine/ingest-version.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { SqlValue } from '../engine/driver.ts';
import { column, indexName, ordered, toRecord, valuesOf } from './record-rows.ts';

const list = (members: readonly string[], text: (member: string) => string, between = ', ') =>
  members.map(text).join(between);

/** Returns a condition on values, which may be null, and the values. An empty one holds for all rows. */
function conditionOf(kind: AnyKind, where: AnyRow): readonly [string, SqlValue[]] {
  const members = Object.keys(where);
  const sql = members.length === 0 ? 'TRUE' : list(members, (member) => `${column(member)} IS ?`, ' AND ');
  return [sql, valuesOf(kind, members, where)];
}

/**
 * Returns the table, with the index whose first members are those of a condition, and whose next one is that of
 * `newest`. Without statistics of a table SQLite prefers the primary key, also where only its first member is known.
 */
function tableFor(kind: AnyKind, where: AnyRow, newest?: string): string {
  const table = tableName(kind);
  const members = Object.keys(where);
  const beginsWithAll = (order: readonly string[]) =>
    members.every((member) => order.slice(0, members.length).some((each) => each.replace('-', '') === member));
  const sorted = Object.keys(kind.indexes).find((name) => {
    const order = kind.indexes[name] ?? [];
    return newest !== undefined && order[members.length] === `-${newest}` && beginsWithAll(order);
  });
  if (sorted !== undefined) return `${table} INDEXED BY ${indexName(kind, sorted)}`;
  if (beginsWithAll(kind.key) || kind.key.every((member) => members.includes(member))) return table;
  const index = Object.keys(kind.indexes).find((name) => beginsWithAll(kind.indexes[name] ?? []));
  return index === undefined ? table : `${table} INDEXED BY ${indexName(kind, index)}`;
}

/** Returns a condition on the values of a number, to be added to another one, and the values. */
function rangeOf(
  kind: AnyKind,
  member: string | undefined,
  { from, below }: { readonly from: number | undefined; readonly below: number | undefined },
): readonly [string, SqlValue[]] {
  if (member === undefined) return ['', []];
  const bounds = [
    [from, '>='],
    [below, '<'],
  ] as const;
  const given = bounds.filter(([bound]) => bound !== undefined);
  const sql = given.map(([, compared]) => ` AND ${column(member)} ${compared} ?`).join('');
  return [sql, given.flatMap(([bound]) => valuesOf(kind, [member], { [member]: bound }))];
}

/** Lists rows in the order of their keys, or a part of them. */
export function listRecords<R, K extends keyof R & string, M extends keyof R & string>(
  db: SqliteDatabase,
  kind: Kind<R, K>,
  where: Condition<R>,
  { newest, from, below, also = {}, skip = 0, limit, only }: Part<R, M> = {},
): Pick<R, M>[] {
  const [equal, ofEqual] = conditionOf(kind, { ...where, ...also });
  const [range, ofRange] = rangeOf(kind, newest, { from, below });
  const [condition, values] = [`${equal}${range}`, [...ofEqual, ...ofRange]];
  const byKey = kind.key.filter((member) => member !== newest);
  const order = list([...(newest === undefined ? [] : [`-${newest}`]), ...byKey], ordered);
  const columns = only === undefined ? '*' : list(only, column);
  const sql = `SELECT ${columns} FROM ${tableFor(kind, where, newest)} WHERE ${condition} ORDER BY ${order}`;
  const isPart = limit !== undefined || skip > 0;
  const rows = isPart ? db.all(`${sql} LIMIT ? OFFSET ?`, ...values, limit ?? -1, skip) : db.all(sql, ...values);
  return rows.map((row) => toRecord(kind, row, only));
}

/** Returns the first row that meets a condition on a key or a unique order. */
export function getRecord<R, K extends keyof R & string>(
  db: SqliteDatabase,
  kind: Kind<R, K>,
  where: Condition<R>,
): R | null {
  const [condition, values] = conditionOf(kind, where);
  const row = db.get(`SELECT * FROM ${tableName(kind)} WHERE ${condition}`, ...values);
  return row === undefined ? null : toRecord(kind, row);
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
  if (write.op === 'put') return putRecord(db, kind, write);
  if (write.op === 'removeAll') return removeRecords(db, kind, write);
  const [condition, values] = conditionOf(kind, { ...write.row, ...write.if });
  const table = tableName(kind);
  if (write.op === 'remove') return db.run(`DELETE FROM ${table} WHERE ${condition}`, ...values) > 0;
  const [set = {}, add = {}, max = {}] = [write.set, write.add, write.max];
  const changes = [
    ...Object.keys(set).map((member) => `${column(member)} = ?`),
    ...Object.keys(add).map((member) => `${column(member)} = ${column(member)} + ?`),
    ...Object.keys(max).map((member) => `${column(member)} = max(coalesce(${column(member)}, 0), ?)`),
  ];
  if (changes.length === 0) return db.get(`SELECT 1 FROM ${table} WHERE ${condition}`, ...values) !== undefined;
  const changed = [set, add, max].flatMap((part) => valuesOf(kind, Object.keys(part), part));
  return db.run(`UPDATE ${table} SET ${changes.join(', ')} WHERE ${condition}`, ...changed, ...values) > 0;
}

function removeRecords(db: SqliteDatabase, kind: AnyKind, { row, left }: Write): boolean {
  const table = tableFor(kind, row);
  const [condition, values] = conditionOf(kind, row);
  if (left === undefined) return db.run(`DELETE FROM ${table} WHERE ${condition}`, ...values) > 0;
  const key = list(kind.key, column);
  const [besides, own] = conditionOf(kind, left.besides);
  const surplus = `SELECT ${key} FROM ${table} WHERE ${condition} AND NOT (${besides})
    ORDER BY ${column(left.newest)} DESC LIMIT -1 OFFSET ?`;
  return db.run(`DELETE FROM ${tableName(kind)} WHERE (${key}) IN (${surplus})`, ...values, ...own, left.keep) > 0;
}

function insertRecord(db: SqliteDatabase, kind: AnyKind, row: AnyRow): AnyRow | null {
  const members = Object.keys(kind.members).filter((member) => !kind.numbered || Object.hasOwn(row, member));
  const added = db.get(
    `${insertion(kind, members)} ON CONFLICT DO NOTHING RETURNING *`,
    ...valuesOf(kind, members, row),
  );
  return added === undefined ? null : toRecord(kind, added);
}

function putRecord(db: SqliteDatabase, kind: AnyKind, { row, set }: Write): true {
  const members = Object.keys(kind.members);
  const others = members.filter(
    (member) => !kind.key.includes(member) && (set === undefined || Object.hasOwn(set, member)),
  );
  const update = list(others, (member) => `${column(member)} = excluded.${column(member)}`);
  const conflict = `(${list(kind.key, column)}) DO ${others.length === 0 ? 'NOTHING' : `UPDATE SET ${update}`}`;
  db.run(`${insertion(kind, members)} ON CONFLICT ${conflict}`, ...valuesOf(kind, members, row));
  return true;
}

function insertion(kind: AnyKind, members: readonly string[]): string {
  const table = tableName(kind);
  return `INSERT INTO ${table} (${list(members, column)}) VALUES (${list(members, () => '?')})`;
}

function holds(db: SqliteDatabase, needed: Check): boolean {
  const from = `FROM ${tableName(needed.of)} WHERE`;
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
