import {
  seenBounds,
  type ErrorQuery,
  type ErrorSort,
  type ErrorStatus,
  type Page,
  type TrackedError,
} from '../../../domain/tracked-error.ts';
import { decodeCursor, queryHash, type Cursor } from '../../cursor.ts';
import { STATUS_CODES } from '../../error-status.ts';
import { hourOf } from '../../fold.ts';
import { searchWords } from '../../search-text.ts';
import type { SqliteDatabase } from '../database.ts';
import type { Row, SqlValue } from '../driver.ts';
import { ERROR_COLUMNS, hourlyFrequency, toTrackedError } from './error-columns.ts';
import { membersOf } from './error-groups.ts';
import { externalIdsOf } from './import-views.ts';
import { assigneesOf } from './triage-views.ts';
import { namedErrors } from './named-errors.ts';
import { beyond, sqlitePage } from './sqlite-page.ts';

const SORT_COLUMNS: Readonly<Record<ErrorSort, string>> = {
  last_seen: 'last_seen',
  first_seen: 'first_seen',
  frequency: 'count',
  users: 'user_count',
  matters: 'last_seen',
};

/** Returns one page of a project's errors; see the port for rows that move meanwhile. */
export function listErrors(db: SqliteDatabase, projectId: number, query: ErrorQuery, now: number): Page<TrackedError> {
  const words = searchWords(query.search);
  const { status, sort, environment, release, level } = query;
  const hash = queryHash([projectId, status, sort, environment, release, level, ...seenBounds(query), ...words]);
  const cursor = decodeCursor(query.cursor, hash, Number.isSafeInteger);
  const column = SORT_COLUMNS[sort];
  return db.snapshot(() => {
    const named = namedErrors(db, projectId, query.search);
    const filters = LISTED.map(({ rows }) => filterOf(query, words, named, rows));
    const fetch = (from: Cursor | null, limit: number) => {
      const { sql, values } = select(projectId, status, column, filters, from, limit);
      return db.all(sql, ...values);
    };
    const page = sqlitePage(fetch, column, cursor, query.limit, hash);
    const shownAs = new Map(
      page.items.flatMap(({ id, merged }) =>
        (merged === 1 ? membersOf(db, id as number) : [id as number]).map((row) => [row, id as number]),
      ),
    );
    const frequency = hourlyFrequency(db, shownAs, hourOf(now));
    const externalIds = externalIdsOf(db, shownAs);
    const assignee = assigneesOf(db, projectId, page.items);
    const toItem = (row: Row) =>
      toTrackedError(row, frequency(row.id as number), externalIds(row.id as number), assignee(row.id as number));
    return { ...page, items: page.items.map(toItem) };
  });
}

/**
 * Tables of a list, with the same columns: single errors, and displayed rows of merged ones. `rows`: numbers under
 * which the tags of `e` are stored.
 */
const LISTED = [
  { table: 'errors', merged: 0, condition: 'AND merged_into IS NULL', rows: '= e.id' },
  {
    table: 'error_groups',
    merged: 1,
    condition: '',
    rows: 'IN (SELECT m.id FROM errors m WHERE m.merged_into = e.id)',
  },
] as const;

interface Filter {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/**
 * Builds the filter. `named`: errors that the whole search names, which need not have its words. Words are compared in
 * lower case against the row's search text; no character of a search has a special meaning. They are passed as one JSON
 * value, so SQL does not limit their number.
 */
function filterOf(query: ErrorQuery, words: readonly string[], named: readonly number[], rows: string): Filter {
  const parts: string[] = [];
  const values: SqlValue[] = [];
  if (query.level !== null) {
    parts.push('AND level = ?');
    values.push(query.level);
  }
  for (const [name, compare, bound] of [
    ['first_seen', '>=', query.firstSeenAfter],
    ['first_seen', '<=', query.firstSeenBefore],
    ['last_seen', '>=', query.lastSeenAfter],
    ['last_seen', '<=', query.lastSeenBefore],
  ] as const) {
    if (bound === undefined) continue;
    // Only the sort's index is read in order; the sign keeps a bound of another column from choosing its index.
    parts.push(`AND ${name === SORT_COLUMNS[query.sort] ? '' : '+'}${name} ${compare} ?`);
    values.push(bound);
  }
  for (const [key, value] of [
    ['environment', query.environment],
    ['release', query.release],
  ] as const) {
    if (value !== null) {
      parts.push(
        `AND EXISTS (SELECT 1 FROM error_tags t WHERE t.error_id ${rows} AND t.key = '${key}' AND t.value = ?)`,
      );
      values.push(value);
    }
  }
  if (words.length > 0) {
    const found = 'NOT EXISTS (SELECT 1 FROM json_each(?) w WHERE instr(e.search_text, w.value) = 0)';
    parts.push(named.length === 0 ? `AND ${found}` : `AND (${found} OR e.id IN (SELECT value FROM json_each(?)))`);
    values.push(JSON.stringify(words), ...(named.length === 0 ? [] : [JSON.stringify(named)]));
  }
  return { sql: parts.join(' '), values };
}

/**
 * Builds the query of rows. Each table and status is a range of the sort's index, read in order. The list merges the
 * first rows of the ranges.
 */
function select(
  projectId: number,
  status: ErrorStatus | 'all',
  column: string,
  filters: readonly Filter[],
  cursor: Cursor | null,
  limit: number,
): { sql: string; values: SqlValue[] } {
  const { compare, order } = cursor === null ? { compare: '', order: 'DESC' } : beyond(cursor);
  const codes = status === 'all' ? Object.values(STATUS_CODES) : [STATUS_CODES[status]];
  const ordered = `ORDER BY ${column} ${order}, id ${order} LIMIT ?`;
  const range = cursor === null ? '' : `AND (${column}, id) ${compare} (?, ?)`;
  const place = cursor === null ? [] : [cursor.value, cursor.id];
  const arms = LISTED.flatMap(({ table, merged, condition }, index) => {
    const filter = filters[index] ?? { sql: '', values: [] };
    const sql = `SELECT * FROM (SELECT ${ERROR_COLUMNS}, ${merged} AS merged FROM ${table} e
      WHERE project_id = ? AND status = ? ${condition} ${range} ${filter.sql} ${ordered})`;
    return codes.map((code) => ({ sql, values: [projectId, code, ...place, ...filter.values, limit] }));
  });
  const union = arms.map(({ sql }) => sql).join(' UNION ALL ');
  return { sql: `${union} ${ordered}`, values: [...arms.flatMap(({ values }) => values), limit] };
}

/** Counts single and merged errors; reads each index up to the limit. */
export function countErrors(db: SqliteDatabase, projectId: number, status: ErrorStatus, limit: number): number {
  const sql = `SELECT count(*) FROM (
    SELECT 1 FROM errors INDEXED BY errors_by_last_seen
      WHERE project_id = ?1 AND status = ?2 AND merged_into IS NULL
    UNION ALL
    SELECT 1 FROM error_groups WHERE project_id = ?1 AND status = ?2
    LIMIT ?3)`;
  return db.number(sql, projectId, STATUS_CODES[status], limit);
}
