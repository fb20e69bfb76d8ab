import { BUCKET_HOURS, bucketsOf, firstHourOf, type TimeRange } from '../../../domain/time-range.ts';
import type { FrequencyPoint } from '../../../domain/tracked-error.ts';
import { hourOf } from '../../fold.ts';
import { emptyPoints } from '../../frequency.ts';
import type { SqliteDatabase } from '../database.ts';

/** Events of an error over time. */
export interface Chart {
  readonly points: readonly FrequencyPoint[];
  /** Events within the range; null: there is none. */
  readonly rangeCount: number | null;
}

/**
 * Returns the charts of all errors of a page in one query; without a range of 24 hours. `shownAs`: error under which
 * each row's counts are shown. A day that a former tracker counted is in the bucket in which it begins.
 */
export function chartsOf(
  db: SqliteDatabase,
  shownAs: ReadonlyMap<number, number>,
  range: TimeRange | undefined,
  now: number,
): (errorId: number) => Chart {
  const shown = range ?? '24h';
  const [width, buckets, last] = [BUCKET_HOURS[shown], bucketsOf(shown), hourOf(now)];
  const first = last - width * buckets + 1;
  const points = new Map<number, FrequencyPoint[]>();
  for (const id of shownAs.values()) {
    points.set(id, emptyPoints(first * 3600, width * 3600, buckets));
  }
  const rows = db.all(
    `SELECT error_id, (hour - ?2) / ?4 AS bucket, sum(count) AS count FROM (
        SELECT error_id, hour, count FROM error_hours
          WHERE error_id IN (SELECT value FROM json_each(?1)) AND hour BETWEEN ?2 AND ?3
        UNION ALL SELECT error_id, hour, count FROM imported_buckets
          WHERE error_id IN (SELECT value FROM json_each(?1)) AND hours = ?5 AND hour BETWEEN ?2 AND ?3
      ) GROUP BY 1, 2`,
    ...[JSON.stringify([...shownAs.keys()]), first, last, width, width === 1 ? 1 : 24],
  );
  for (const row of rows) {
    const point = points.get(shownAs.get(row.error_id as number) ?? 0)?.[row.bucket as number];
    if (point !== undefined) point[1] += row.count as number;
  }
  const from = range === undefined ? 0 : firstHourOf(range, now) * 3600;
  return (errorId) => {
    const own = points.get(errorId) ?? [];
    const within = own.filter(([start]) => start >= from).reduce((sum, [, count]) => sum + count, 0);
    return { points: own, rangeCount: range === undefined ? null : within };
  };
}
