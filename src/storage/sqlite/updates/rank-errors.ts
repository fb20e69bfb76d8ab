import { firstHourOf, TIME_RANGES } from '../../../domain/search/time-range.ts';
import type { Level } from '../../../domain/events/event.ts';
import { statusName } from '../../errors/error-status.ts';
import { addHour, addImported, noSums, rankOf, type RangeSums } from '../../errors/rank.ts';
import { marksOf } from '../../state/marks.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { Row } from '../engine/driver.ts';
import { ERROR_COLUMNS, storedMarks } from '../errors/error-columns.ts';
import { latestTerms } from '../events/event-views.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { addTerms } from './term-rows.ts';

/** Maximum errors per transaction: some tens of milliseconds where all of them are busy. */
export const RANKED_AT_ONCE = 200;

/** Ranks up to `limit` errors; returns the number of those worked on. */
export function rankBatch({ db }: WriteContext, now: number, limit: number): number {
  const queued = db.all(
    `SELECT q.error_id, q.terms, coalesce(e.merged_into, e.id) AS root FROM rank_queue q
      LEFT JOIN errors e ON e.id = q.error_id LIMIT ?`,
    limit,
  );
  for (const { error_id: id, terms } of queued) if (terms === 1) writeTermsLate(db, id as number);
  const due: Row[] = [];
  for (const table of ['errors', 'error_groups']) {
    const sql = `SELECT id FROM ${table} WHERE rank_due <= ? ORDER BY rank_due LIMIT ?`;
    due.push(...db.all(sql, now, limit - queued.length - due.length));
  }
  const roots = new Set([...queued.map(({ root }) => root), ...due.map(({ id }) => id)].filter((id) => id !== null));
  rankRoots(db, [...roots] as number[], now);
  db.run('DELETE FROM rank_queue WHERE error_id IN (SELECT value FROM json_each(?))', idsOf(queued, 'error_id'));
  return queued.length + due.length;
}

const idsOf = (rows: readonly Row[], column: string): string => JSON.stringify(rows.map((row) => row[column]));

/** Writes terms of an error that is older than they are, from its newest stored event. */
function writeTermsLate(db: SqliteDatabase, id: number): void {
  const terms = latestTerms(db, id);
  if (terms === null) return;
  addTerms(db, id, terms);
  const unhandled = terms.unhandled === null ? null : Number(terms.unhandled);
  db.run('UPDATE errors SET unhandled = ? WHERE id = ? AND unhandled IS NULL', unhandled, id);
}

/** Ranks errors at once: single ones, and roots of merged ones. */
export function rankRoots(db: SqliteDatabase, roots: readonly number[], now: number): void {
  const ids = JSON.stringify(roots);
  const sums = sumsOf(db, ids, now);
  // A member has no rank of its own, and its time goes with it.
  db.run(
    'UPDATE errors SET rank_due = NULL WHERE id IN (SELECT value FROM json_each(?)) AND merged_into IS NOT NULL',
    ids,
  );
  for (const [table, condition] of [
    ['errors', 'AND merged_into IS NULL'],
    ['error_groups', ''],
  ] as const) {
    const rows = db.all(
      `SELECT ${ERROR_COLUMNS} FROM ${table} WHERE id IN (SELECT value FROM json_each(?)) ${condition}`,
      ids,
    );
    for (const row of rows) write(db, table, row, sums.get(row.id as number) ?? noSums(), now);
  }
}

function write(db: SqliteDatabase, table: string, row: Row, sums: RangeSums, now: number): void {
  const [firstSeen, lastSeen] = [row.first_seen as number, row.last_seen as number];
  const marks = marksOf(storedMarks(row), { status: statusName(row.status as number), firstSeen }, now);
  const [level, users] = [row.level as Level, row.user_count as number];
  const { matters, events, dueAt } = rankOf({ marks, level, users, firstSeen, lastSeen }, sums, now);
  db.run(
    `UPDATE ${table} SET matters = ?, ${TIME_RANGES.map((range) => `events_${range} = ?`).join()}, rank_due = ?
      WHERE id = ?`,
    ...[matters, ...TIME_RANGES.map((range) => events[range]), dueAt, row.id as number],
  );
}

/**
 * Returns the events per range of displayed errors, by number. Each hour is read once: the ranges are added up from the
 * parts between their first hours.
 */
function sumsOf(db: SqliteDatabase, roots: string, now: number): Map<number, RangeSums> {
  const firsts = TIME_RANGES.map((range) => firstHourOf(range, now));
  const parts = TIME_RANGES.map((_, index) => {
    const end = index === 0 ? '' : `AND h.hour < ?${index + 1}`;
    const within = `FROM error_hours h WHERE h.error_id = r.id AND h.hour >= ?${index + 2} ${end}`;
    return `(SELECT sum(h.count) ${within}) AS part_${index},
      (SELECT h.hour FROM error_hours h WHERE h.error_id = r.id AND h.hour >= ?${index + 2} ORDER BY h.hour LIMIT 1)
        AS oldest_${index}`;
  });
  const members = `SELECT id, coalesce(merged_into, id) AS root FROM errors
    WHERE id IN (SELECT value FROM json_each(?1)) OR merged_into IN (SELECT value FROM json_each(?1))`;
  const rows = db.all(`SELECT r.root, ${parts.join()} FROM (${members}) r`, roots, ...firsts);
  const found = new Map<number, RangeSums>();
  const of = (root: number) => {
    const sums = found.get(root) ?? noSums();
    found.set(root, sums);
    return sums;
  };
  for (const row of rows) {
    let count = 0;
    for (const [index, range] of TIME_RANGES.entries()) {
      count += Number(row[`part_${index}`] ?? 0);
      const oldest = row[`oldest_${index}`];
      if (typeof oldest === 'number') addHour(of(row.root as number), range, oldest, count);
    }
  }
  const imported = db.all(
    `SELECT r.root, b.hour, b.count, b.hours FROM (${members}) r CROSS JOIN imported_buckets b ON b.error_id = r.id`,
    roots,
  );
  for (const { root, hour, count, hours } of imported) {
    addImported(of(root as number), [{ hour: hour as number, count: count as number, days: hours === 24 }], now);
  }
  return found;
}

/** True when errors wait for `rankBatch`. */
export function hasRanksDue(db: SqliteDatabase, now: number): boolean {
  const due = (table: string) => `SELECT 1 FROM ${table} WHERE rank_due <= ?`;
  return (
    db.get(`SELECT 1 FROM rank_queue UNION ALL ${due('errors')} UNION ALL ${due('error_groups')} LIMIT 1`, now, now) !==
    undefined
  );
}
