import type { MattersLimits } from '../../../domain/ports/stores/overview-store.ts';
import type { TimeRange } from '../../../domain/search/time-range.ts';
import type { TrackedError } from '../../../domain/errors/tracked-error.ts';
import type { ErrorQuery, ErrorSort } from '../../../domain/search/error-query.ts';
import type { Page } from '../../../domain/page.ts';
import { decodeCursor, type Cursor } from '../../errors/cursor.ts';
import { STATUS_CODES } from '../../errors/error-status.ts';
import { requireFewProjects } from '../../few-projects.ts';
import { selectionHash } from '../../search/selection-hash.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { Row, SqlValue } from '../engine/driver.ts';
import { chartsOf } from '../errors/charts.ts';
import { ERROR_COLUMNS, toTrackedError } from '../errors/error-columns.ts';
import { codesOf, filtersOf } from '../search/error-filter.ts';
import { membersOf } from '../errors/error-groups.ts';
import { externalIdsOf } from '../errors/import-views.ts';
import { LISTED, type Filter } from '../search/listed-tables.ts';
import { assigneesOf } from '../status/triage-views.ts';
import { beyond, sqlitePage } from '../engine/sqlite-page.ts';

const SORT_COLUMNS = {
  last_seen: 'last_seen',
  first_seen: 'first_seen',
  frequency: 'count',
  users: 'user_count',
  matters: 'matters',
} as const satisfies Record<ErrorSort, string>;

/** Returns the column of an order. Those of ranks are null until the error is ranked. */
function sortColumn(sort: ErrorSort, range: TimeRange | undefined): { column: string; ranked: boolean } {
  return sort === 'frequency' && range !== undefined
    ? { column: `events_${range}`, ranked: true }
    : { column: SORT_COLUMNS[sort], ranked: sort === 'matters' };
}

/** Returns one page of a project's errors; see the port for rows that move meanwhile. */
export function listErrors(db: SqliteDatabase, projectId: number, query: ErrorQuery, now: number): Page<TrackedError> {
  const hash = selectionHash(projectId, query);
  const cursor = decodeCursor(query.cursor, hash, Number.isSafeInteger);
  const order = sortColumn(query.sort, query.range);
  return db.snapshot(() => {
    const filters = filtersOf({ db, projectId, now, sortColumn: order.column }, query);
    const codes = codesOf(query);
    const fetch = (from: Cursor | null, limit: number) => {
      if (codes.length === 0) return [];
      const { sql, values } = select(projectId, codes, order, filters, from, limit);
      return db.all(sql, ...values);
    };
    const page = sqlitePage(fetch, 'place', cursor, query.limit, hash);
    return { ...page, items: itemsOf(db, page.items, query.range, now) };
  });
}

/** Returns the unresolved errors of projects that matter most; see the port. */
export function errorsThatMatter(
  db: SqliteDatabase,
  projectIds: readonly number[],
  { limit, perProject }: MattersLimits,
  now: number,
): TrackedError[] {
  requireFewProjects(projectIds);
  const order = sortColumn('matters', undefined);
  return db.snapshot(() => {
    const rows = projectIds.flatMap((id) => {
      const { sql, values } = select(id, [STATUS_CODES.unresolved], order, [], null, perProject);
      return db.all(sql, ...values);
    });
    const place = (row: Row) => row.place as number;
    const first = rows.sort((a, b) => place(b) - place(a) || (b.id as number) - (a.id as number)).slice(0, limit);
    return itemsOf(db, first, undefined, now);
  });
}

/** Returns the items of rows, of one project or several. */
function itemsOf(db: SqliteDatabase, rows: readonly Row[], range: TimeRange | undefined, now: number): TrackedError[] {
  const shownAs = new Map(
    rows.flatMap(({ id, merged }) =>
      (merged === 1 ? membersOf(db, id as number) : [id as number]).map((row) => [row, id as number]),
    ),
  );
  const chart = chartsOf(db, shownAs, range, now);
  const externalIds = externalIdsOf(db, shownAs);
  const assignee = assigneesOf(db, rows);
  return rows.map((row) => {
    const id = row.id as number;
    return toTrackedError(row, { chart: chart(id), externalIds: externalIds(id), assignee: assignee(id) }, now);
  });
}

/**
 * Builds the query of rows. Each table and status is a range of the sort's index, read in order. The list merges the
 * first rows of the ranges.
 */
function select(
  projectId: number,
  codes: readonly number[],
  { column, ranked }: { readonly column: string; readonly ranked: boolean },
  filters: readonly Filter[],
  cursor: Cursor | null,
  limit: number,
): { sql: string; values: SqlValue[] } {
  const { compare, order } = cursor === null ? { compare: '', order: 'DESC' } : beyond(cursor);
  const range = cursor === null ? '' : `AND (${column}, id) ${compare} (?, ?)`;
  const place = cursor === null ? [] : [cursor.value, cursor.id];
  const arms = LISTED.flatMap(({ table, merged, condition }, index) => {
    const filter = filters[index] ?? { sql: '', values: [] };
    const sql = `SELECT * FROM (SELECT ${ERROR_COLUMNS}, ${column} AS place, ${merged} AS merged FROM ${table} e
      WHERE project_id = ? AND status = ? ${condition} ${ranked ? `AND ${column} IS NOT NULL` : ''} ${range}
      ${filter.sql} ORDER BY ${column} ${order}, id ${order} LIMIT ?)`;
    return codes.map((code) => ({ sql, values: [projectId, code, ...place, ...filter.values, limit] }));
  });
  const union = arms.map(({ sql }) => sql).join(' UNION ALL ');
  return {
    sql: `${union} ORDER BY place ${order}, id ${order} LIMIT ?`,
    values: [...arms.flatMap(({ values }) => values), limit],
  };
}
