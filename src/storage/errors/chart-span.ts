import { BUCKET_HOURS, firstHourOf, RANGE_HOURS, type TimeRange } from '../../domain/search/time-range.ts';
import type { FrequencyPoint } from '../../domain/errors/tracked-error.ts';
import { hourOf } from '../fold.ts';
import { HOURS_SHOWN } from './frequency.ts';

/** Hours since the epoch that the chart of an error covers, in buckets. */
export interface ChartSpan {
  /** First hour that is charted; the first bucket of a range has only this one. */
  readonly first: number;
  /** Current hour, which the last bucket ends with. */
  readonly last: number;
  /** Hours of a bucket. */
  readonly width: number;
  /** Hour from which buckets are counted: the first one would begin there if it had all its hours. */
  readonly origin: number;
  /** Whether former trackers' counts of days are charted, instead of those of hours. */
  readonly byDay: boolean;
}

/** Returns the span of a range's chart; that of `1h` is that of `24h`. Without a range: 24 hours with the current one. */
export function chartSpan(range: TimeRange | undefined, now: number): ChartSpan {
  const last = hourOf(now);
  const shown = range === undefined || range === '1h' ? '24h' : range;
  const width = BUCKET_HOURS[shown];
  const byDay = countsDays(shown);
  if (range === undefined) return { first: last - HOURS_SHOWN + 1, last, width, origin: last - HOURS_SHOWN + 1, byDay };
  return { first: firstHourOf(shown, now), last, width, origin: last - RANGE_HOURS[shown] - width + 1, byDay };
}

/** Returns whether a range counts the days of former trackers: those of hours are kept for a day only. */
export function countsDays(range: TimeRange): boolean {
  return RANGE_HOURS[range] > 24;
}

/** Returns the buckets of a chart without any event. */
export function emptyBuckets({ first, last, width, origin }: ChartSpan): FrequencyPoint[] {
  const count = (last - origin + 1) / width;
  return Array.from({ length: count }, (_, index) => [Math.max(first, origin + index * width) * 3600, 0]);
}

/** Returns the events of a chart within its range; null: there is no range. */
export function countWithin(
  points: readonly FrequencyPoint[],
  range: TimeRange | undefined,
  now: number,
): number | null {
  if (range === undefined) return null;
  const start = firstHourOf(range, now) * 3600;
  return points.filter(([at]) => at >= start).reduce((sum, [, count]) => sum + count, 0);
}
