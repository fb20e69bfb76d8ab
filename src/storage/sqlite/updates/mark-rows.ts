import type { NewFact } from '../../../domain/alerts/alert-fact.ts';
import type { StoredMarks } from '../../../domain/errors/error-marks.ts';
import { parseErrorId } from '../../errors/error-id.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { Row, SqlValue } from '../engine/driver.ts';
import { MARK_COLUMNS } from '../errors/error-columns.ts';
import type { ErrorGroup } from '../errors/error-groups.ts';
import { queueRank } from './rank-queue.ts';

const REVIEW = 'review_at = max(coalesce(review_at, ?1), ?1)';

/** Assignments of the columns of a mark that are not older than what they replace. ?1: time; ?2: release or cause. */
const SET_MARK = {
  new: REVIEW,
  regressed: `regressed_release = iif(?1 >= coalesce(regressed_at, ?1), ?2, regressed_release),
    regressed_at = max(coalesce(regressed_at, ?1), ?1), ${REVIEW}`,
  escalated: `escalated_cause = iif(?1 >= coalesce(escalated_at, ?1), ?2, escalated_cause),
    escalated_at = max(coalesce(escalated_at, ?1), ?1), ${REVIEW}`,
  unmuted: `unmuted_cause = iif(?1 >= coalesce(unmuted_at, ?1), ?2, unmuted_cause),
    unmuted_at = max(coalesce(unmuted_at, ?1), ?1), regressed_at = NULL, ${REVIEW}`,
} as const;

/** Sets the mark that belongs to a fact, on the error and its displayed row. Errors of other trackers have no row. */
export function setMark(db: SqliteDatabase, { kind, errorId, projectId, at, release, cause }: NewFact): void {
  const id = parseErrorId(errorId);
  if (id === null) return;
  const values: SqlValue[] = kind === 'new' ? [at] : [at, kind === 'regressed' ? release : JSON.stringify(cause)];
  const sql = (table: string) =>
    `UPDATE ${table} SET ${SET_MARK[kind]} WHERE id = ?${values.length + 1} AND project_id = ?${values.length + 2}`;
  if (db.run(sql('errors'), ...values, id, projectId) === 0) return;
  // The batch of a new error notes that it is to be ranked.
  if (kind === 'new') return;
  db.run(sql('error_groups'), ...values, id, projectId);
  queueRank(db, [id]);
}

/** Assignment that ends the review when a status is set: setting one also counts as a look. */
export const NO_REVIEW = 'review_at = NULL';

const PUT_MARKS = `UPDATE errors SET ${MARK_COLUMNS.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`;

/** Values of the columns of marks. */
type Marked = Readonly<Record<(typeof MARK_COLUMNS)[number], SqlValue>>;

/** Sets all marks of an error that is not merged. Call after `putStatus`, which ends marks and queues the rank. */
export function putMarks(db: SqliteDatabase, id: number, marks: StoredMarks): void {
  const { regressed, escalated, unmuted, reviewAt, unhandled } = marks;
  const values: Marked = {
    ...{ regressed_at: regressed?.at ?? null, regressed_release: regressed?.release ?? null },
    ...{ escalated_at: escalated?.at ?? null, escalated_cause: escalated && JSON.stringify(escalated.cause) },
    ...{ unmuted_at: unmuted?.at ?? null, unmuted_cause: unmuted && JSON.stringify(unmuted.cause) },
    ...{ review_at: reviewAt, unhandled: unhandled === null ? null : Number(unhandled) },
  };
  db.run(PUT_MARKS, ...MARK_COLUMNS.map((column) => values[column]), id);
}

/** Ends the review of an error, because a member has looked at it; false when it asked for none. */
export function endReview(db: SqliteDatabase, { root, members }: Pick<ErrorGroup, 'root' | 'members'>): boolean {
  db.run('UPDATE error_groups SET review_at = NULL WHERE id = ? AND review_at IS NOT NULL', root);
  const sql =
    'UPDATE errors SET review_at = NULL WHERE id IN (SELECT value FROM json_each(?)) AND review_at IS NOT NULL';
  return db.run(sql, JSON.stringify(members)) > 0;
}

/** Asks for a review of an error; false when it asks for one already. */
export function askReview(
  db: SqliteDatabase,
  { root, members }: Pick<ErrorGroup, 'root' | 'members'>,
  now: number,
): boolean {
  const sql = (table: string) => `UPDATE ${table} SET review_at = ? WHERE id = ? AND review_at IS NULL`;
  const shown = db.run(sql('error_groups'), now, root);
  const own = db.run(sql('errors'), now, root);
  return (members.length > 1 ? shown : own) > 0;
}

/** Returns the marks of a merged error, in the order of MARK_COLUMNS: the newest ones of its members. */
export function marksOfMembers(rows: readonly Row[]): SqlValue[] {
  const newest = (column: string): Row | undefined =>
    rows.reduce<Row | undefined>(
      (best, row) => (row[column] !== null && Number(row[column]) > Number(best?.[column] ?? -Infinity) ? row : best),
      undefined,
    );
  const [regressed, escalated] = [newest('regressed_at'), newest('escalated_at')];
  const [unmuted, unhandled] = [newest('unmuted_at'), newest('unhandled')];
  const values: Marked = {
    ...{ regressed_at: regressed?.regressed_at ?? null, regressed_release: regressed?.regressed_release ?? null },
    ...{ escalated_at: escalated?.escalated_at ?? null, escalated_cause: escalated?.escalated_cause ?? null },
    ...{ unmuted_at: unmuted?.unmuted_at ?? null, unmuted_cause: unmuted?.unmuted_cause ?? null },
    ...{ review_at: newest('review_at')?.review_at ?? null, unhandled: unhandled?.unhandled ?? null },
  };
  return MARK_COLUMNS.map((column) => values[column]);
}
