import type { FrequencyPoint } from '../../../domain/errors/tracked-error.ts';
import { emptyBuckets, type ChartSpan } from '../../errors/chart-span.ts';
import { DAYS_SHOWN, emptyPoints } from '../../errors/frequency.ts';
import type { ErrorHoursDocument } from '../documents/error-documents.ts';

export type HourCounts = Pick<ErrorHoursDocument, 'd' | 'h'>;

/** Returns the chart of a span, oldest first, from the days of one or more errors. */
export function chartPoints(days: readonly HourCounts[], span: ChartSpan): FrequencyPoint[] {
  const points = emptyBuckets(span);
  for (const { d, h } of days) {
    for (const [hour, count] of Object.entries(h)) {
      const at = d * 24 + Number(hour);
      if (at < span.first || at > span.last) continue;
      const point = points[Math.floor((at - span.origin) / span.width)];
      if (point !== undefined) point[1] += count;
    }
  }
  return points;
}

/** Returns what a former tracker counted, for the chart of a span. A day that it begins in is in its first hour. */
export function importedIn(
  { hours, days }: { readonly hours: readonly HourCounts[]; readonly days: readonly HourCounts[] },
  { byDay, first }: ChartSpan,
): readonly HourCounts[] {
  if (!byDay) return hours;
  const [day, hour] = [Math.floor(first / 24), String(first % 24)];
  return days.map((counts) => (counts.d === day ? { d: day, h: { [hour]: counts.h['0'] ?? 0 } } : counts));
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
