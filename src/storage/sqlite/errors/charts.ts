import type { TimeRange } from '../../../domain/search/time-range.ts';
import type { FrequencyPoint } from '../../../domain/errors/tracked-error.ts';
import { chartSpan, countWithin, emptyBuckets } from '../../errors/chart-span.ts';
import type { SqliteDatabase } from '../engine/database.ts';

/** Events of an error over time. */
export interface Chart {
  readonly points: readonly FrequencyPoint[];
  /** Events within the range; null: there is none. */
  readonly rangeCount: number | null;
}

/**
 * Returns the charts of all errors of a page in one query; without a range of 24 hours. `shownAs`: error under which
 * each row's counts are shown. A day that a former tracker counted is in the bucket in which it begins, or in the first
 * one.
 */
export function chartsOf(
  db: SqliteDatabase,
  shownAs: ReadonlyMap<number, number>,
  range: TimeRange | undefined,
  now: number,
): (errorId: number) => Chart {
  const span = chartSpan(range, now);
  const points = new Map([...shownAs.values()].map((id) => [id, emptyBuckets(span)]));
  const rows = db.all(
    `SELECT error_id, (hour - ?5) / ?4 AS bucket, sum(count) AS count FROM (
        SELECT error_id, hour, count FROM error_hours
          WHERE error_id IN (SELECT value FROM json_each(?1)) AND hour BETWEEN ?2 AND ?3
        UNION ALL SELECT error_id, max(hour, ?2), count FROM imported_buckets
          WHERE error_id IN (SELECT value FROM json_each(?1)) AND hours = ?6 AND hour BETWEEN ?2 - ?6 + 1 AND ?3
      ) GROUP BY 1, 2`,
    ...[JSON.stringify([...shownAs.keys()]), span.first, span.last, span.width, span.origin, span.byDay ? 24 : 1],
  );
  for (const row of rows) {
    const point = points.get(shownAs.get(row.error_id as number) ?? 0)?.[row.bucket as number];
    if (point !== undefined) point[1] += row.count as number;
  }
  return (errorId) => {
    const own = points.get(errorId) ?? [];
    return { points: own, rangeCount: countWithin(own, range, now) };
  };
}
