import { BUCKET_HOURS, bucketsOf, firstHourOf, RANGE_HOURS, type TimeRange } from '../../../domain/time-range.ts';
import type { FrequencyPoint } from '../../../domain/tracked-error.ts';
import { DAYS_SHOWN, emptyPoints } from '../../frequency.ts';
import type { ErrorHoursDocument } from '../documents.ts';

export type HourCounts = Pick<ErrorHoursDocument, 'd' | 'h'>;

/** Returns the first hour of the chart of a range that ends with `currentHour`; without a range of 24 hours. */
export function firstHourShown(range: TimeRange = '24h', currentHour: number): number {
  return currentHour - BUCKET_HOURS[range] * bucketsOf(range) + 1;
}

/** Returns the chart of a range that ends with `currentHour`, oldest first, from the days of one or more errors. */
export function rangePoints(
  days: readonly HourCounts[],
  range: TimeRange = '24h',
  currentHour: number,
): FrequencyPoint[] {
  const [width, first] = [BUCKET_HOURS[range], firstHourShown(range, currentHour)];
  const points = emptyPoints(first * 3600, width * 3600, bucketsOf(range));
  for (const { d, h } of days) {
    for (const [hour, count] of Object.entries(h)) {
      const at = d * 24 + Number(hour);
      const point = at > currentHour ? undefined : points[Math.floor((at - first) / width)];
      if (point !== undefined) point[1] += count;
    }
  }
  return points;
}

/** Returns what a former tracker counted, in the form for the chart of a range. */
export function importedIn(
  { hours, days }: { readonly hours: readonly HourCounts[]; readonly days: readonly HourCounts[] },
  range: TimeRange = '24h',
): readonly HourCounts[] {
  return RANGE_HOURS[range] <= 24 ? hours : days;
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

/** Returns counts of the 30 UTC days that end with the current one; omits future hours. */
export function dailyPoints(days: readonly HourCounts[], currentHour: number): FrequencyPoint[] {
  const firstDay = firstDayShown(currentHour);
  const points = emptyPoints(firstDay * 86_400, 86_400, DAYS_SHOWN);
  for (const { d, h } of days) {
    const point = points[d - firstDay];
    if (point === undefined) continue;
    for (const [hour, count] of Object.entries(h)) {
      if (d * 24 + Number(hour) <= currentHour) point[1] += count;
    }
  }
  return points;
}

export function firstDayShown(currentHour: number): number {
  return Math.floor(currentHour / 24) - DAYS_SHOWN + 1;
}
