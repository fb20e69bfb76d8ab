import { columnsOf } from '../../errors/error-fields.ts';
import { snakeCase, tableName, type AnyKind, type MemberType } from '../../records/kind.ts';
import { KIND_NAMES, kindOf } from '../../records/kinds.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import { column, indexName, ordered } from './record-rows.ts';

const TYPES = {
  ...{ integer: 'INTEGER', boolean: 'INTEGER', text: 'TEXT', json: 'TEXT' },
  ...{ hex: 'BLOB', folded: 'TEXT COLLATE NOCASE' },
} as const;

/** Returns the statements that create the table and the indexes of a kind. */
export function tableOf(kind: AnyKind): string[] {
  const table = tableName(kind);
  const columns = Object.entries(kind.members).map(([member, type]) => columnOf(kind, member, type));
  const key = kind.numbered ? [] : [`PRIMARY KEY (${kind.key.map(column).join(', ')})`];
  return [
    `CREATE TABLE ${table} (${[...columns, ...key].join(', ')}) STRICT${kind.numbered ? '' : ', WITHOUT ROWID'}`,
    ...Object.entries(kind.unique).map(([name, members]) => indexOf(kind, name, members, 'UNIQUE ')),
    ...ordersOf(kind).map(([name, members]) => indexOf(kind, name, members)),
  ];
}

/** Returns the declared orders that need an index: the table itself has the order of its key. */
function ordersOf(kind: AnyKind): (readonly [string, readonly string[]])[] {
  return Object.entries(kind.indexes).filter(([, members]) => members.some((member, at) => member !== kind.key[at]));
}

function indexOf(kind: AnyKind, name: string, members: readonly string[], unique = ''): string {
  return `CREATE ${unique}INDEX ${indexName(kind, name)} ON ${tableName(kind)} (${members.map(ordered).join(', ')})`;
}

function columnOf(kind: AnyKind, member: string, { stored, nullable }: MemberType<unknown>): string {
  const isNumber = kind.numbered && kind.key[0] === member;
  const rest = isNumber ? ' PRIMARY KEY AUTOINCREMENT' : `${nullable ? '' : ' NOT NULL'}${ownerOf(kind, member)}`;
  return `${column(member)} ${TYPES[stored]}${rest}`;
}

/** Returns the reference to what a row belongs to, with which SQLite removes it. */
function ownerOf({ of }: AnyKind, member: string): string {
  const isProject = member === 'projectId' && (of === 'project' || of === 'member');
  const isUser = member === 'userId' && (of === 'user' || of === 'member');
  return isProject || isUser ? ` REFERENCES ${isProject ? 'projects' : 'users'} ON DELETE CASCADE` : '';
}

/** Table, column or index that a store lacks. */
export interface MissingPart {
  /** What creates it, as a sentence: `create the table deploys`. */
  readonly step: string;
  readonly statements: readonly string[];
}

/**
 * Returns what a store lacks of what is declared: tables of kinds, their members and indexes, and texts of errors.
 * Columns are never removed: an earlier version may still read them.
 */
export function missingParts(db: Pick<SqliteDatabase, 'all'>): MissingPart[] {
  const present = new Map<string, Set<string>>();
  const sql = `SELECT t.name AS "table", c.name AS "column" FROM sqlite_schema t JOIN pragma_table_info(t.name) c
    WHERE t.type = 'table' AND t.name IN (SELECT value FROM json_each(?))`;
  for (const row of db.all(sql, JSON.stringify(KIND_NAMES.map((name) => tableName(kindOf(name)))))) {
    const columns = present.get(row.table as string) ?? new Set();
    present.set(row.table as string, columns.add(row.column as string));
  }
  const indexes = new Set(db.all("SELECT name FROM sqlite_schema WHERE type = 'index'").map(({ name }) => name));
  const ofKinds = KIND_NAMES.flatMap((name) => {
    const kind = kindOf(name);
    const columns = present.get(tableName(kind));
    if (columns !== undefined) return [...missingColumns(kind, columns), ...missingIndexes(kind, indexes)];
    return [{ step: `create the table ${tableName(kind)}`, statements: tableOf(kind) }];
  });
  return [...ofKinds, ...missingTexts(db)];
}

/** Returns the indexes that a table lacks: lists name them. */
function missingIndexes(kind: AnyKind, present: ReadonlySet<unknown>): MissingPart[] {
  return ordersOf(kind)
    .filter(([name]) => !present.has(indexName(kind, name)))
    .map(([name, members]) => ({
      step: `create the index ${indexName(kind, name)}`,
      statements: [indexOf(kind, name, members)],
    }));
}

/** Returns the columns of texts that the tables of errors lack; rows that were written before have null. */
function missingTexts(db: Pick<SqliteDatabase, 'all'>): MissingPart[] {
  return ['errors', 'error_groups'].flatMap((table) => {
    const present = new Set(db.all('SELECT name FROM pragma_table_info(?)', table).map(({ name }) => name));
    return columnsOf('text')
      .filter((column) => !present.has(column))
      .map((column) => ({
        step: `add the column ${column} to ${table}`,
        statements: [`ALTER TABLE ${table} ADD COLUMN ${column} TEXT`],
      }));
  });
}

/** Returns the columns that a table lacks. Throws a TypeError for a new member that needs a fallback and has none. */
export function missingColumns(kind: AnyKind, present: ReadonlySet<string>): MissingPart[] {
  const missing = Object.entries(kind.members).filter(([member]) => !present.has(snakeCase(member)));
  return missing.map(([member, type]) => {
    const table = tableName(kind);
    const value = type.nullable ? '' : ` DEFAULT ${literalOf(kind, member, type)}`;
    return {
      step: `add the column ${snakeCase(member)} to ${table}`,
      statements: [`ALTER TABLE ${table} ADD COLUMN ${columnOf(kind, member, type)}${value}`],
    };
  });
}

/** Returns the value of rows that were written before. Throws where the declaration has none: a fault of the program. */
function literalOf({ name }: AnyKind, member: string, { stored, fallback }: MemberType<unknown>): string {
  if (fallback === undefined) throw new TypeError(`${name}.${member} is new and needs a fallback, see \`since\``);
  if (stored === 'boolean') return fallback === true ? '1' : '0';
  if (typeof fallback === 'number') return String(fallback);
  const written = stored === 'json' || typeof fallback !== 'string' ? JSON.stringify(fallback) : fallback;
  return `'${written.replaceAll("'", "''")}'`;
}
