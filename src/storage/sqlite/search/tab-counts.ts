import type { StatusBefore } from '../../../domain/ports/stores/list-store.ts';
import { parseDetails } from '../../../domain/errors/status-details.ts';
import { MAX_TAB_COUNT, type ErrorSelection, type TabCounts } from '../../../domain/search/error-query.ts';
import { statusName } from '../../errors/error-status.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { Row, SqlValue } from '../engine/driver.ts';
import { asksReview, markBounds } from '../../state/marks.ts';
import { codesOf, filtersOf } from './error-filter.ts';
import { LISTED } from './listed-tables.ts';

/** Counts the errors of each tab; each count reads the index of last occurrences up to MAX_TAB_COUNT. */
export function countTabs(db: SqliteDatabase, projectId: number, selection: ErrorSelection, now: number): TabCounts {
  const { forReview: _forReview, ...rest } = selection;
  const { reviewAfter } = markBounds(now);
  return db.snapshot(() => {
    const count = (tab: ErrorSelection) => {
      const { sql, values } = selected(db, projectId, tab, now, 'review_at');
      if (sql === '') return { all: 0, asking: 0 };
      const row = db.get(
        `SELECT count(*) AS found, count(nullif(review_at > ?, 0)) AS asking
          FROM (SELECT review_at FROM (${sql}) LIMIT ${MAX_TAB_COUNT})`,
        ...[reviewAfter, ...values],
      );
      return { all: Number(row?.found), asking: Number(row?.asking) };
    };
    const unresolved = count({ ...rest, status: 'unresolved' });
    // Where counting stopped, errors that ask for a review may be beyond.
    const forReview =
      unresolved.all < MAX_TAB_COUNT
        ? unresolved.asking
        : count({ ...rest, status: 'unresolved', forReview: true }).all;
    return {
      unresolved: unresolved.all,
      forReview,
      resolved: count({ ...rest, status: 'resolved' }).all,
      ignored: count({ ...rest, status: 'ignored' }).all,
    };
  });
}

export function matchingErrors(
  db: SqliteDatabase,
  projectId: number,
  selection: ErrorSelection,
  after: number,
  limit: number,
  now: number,
): StatusBefore[] {
  return db.snapshot(() => {
    const { sql, values } = selected(db, projectId, selection, now, STATE_COLUMNS);
    if (sql === '') return [];
    return db
      .all(`SELECT * FROM (${sql}) WHERE id > ? ORDER BY id LIMIT ?`, ...values, after, limit)
      .map((row) => toStatusBefore(row, now));
  });
}

/** Columns that `toStatusBefore` reads. */
export const STATE_COLUMNS = 'id, status, status_details, assignee_id, review_at';

export function toStatusBefore(row: Row, now: number): StatusBefore {
  const status = statusName(row.status as number);
  return {
    errorId: String(row.id),
    status,
    details: parseDetails(row.status_details as string | null),
    assigneeId: row.assignee_id as number | null,
    forReview: asksReview(status, row.review_at as number | null, now),
  };
}

/** Builds the query of all rows of a selection; empty when its statuses exclude each other. */
function selected(
  db: SqliteDatabase,
  projectId: number,
  selection: ErrorSelection,
  now: number,
  columns: string,
): { sql: string; values: SqlValue[] } {
  const filters = filtersOf({ db, projectId, now, sortColumn: 'last_seen' }, selection);
  const arms = LISTED.flatMap(({ table, condition }, place) =>
    codesOf(selection).map((code) => ({
      sql: `SELECT ${columns} FROM ${table} e ${table === 'errors' ? 'INDEXED BY errors_by_last_seen' : ''}
        WHERE project_id = ? AND status = ? ${condition} ${filters[place]?.sql ?? ''}`,
      values: [projectId, code, ...(filters[place]?.values ?? [])],
    })),
  );
  return { sql: arms.map(({ sql }) => sql).join(' UNION ALL '), values: arms.flatMap(({ values }) => values) };
}
