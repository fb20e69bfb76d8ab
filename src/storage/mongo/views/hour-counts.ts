import type { FrequencyPoint } from '../../../domain/tracked-error.ts';
import { DAYS_SHOWN, emptyPoints, HOURS_SHOWN } from '../../frequency.ts';
import type { ErrorHoursDocument } from '../documents.ts';

export type HourCounts = Pick<ErrorHoursDocument, 'd' | 'h'>;

/** Returns counts of the 24 hours that end with `currentHour`, oldest first, from the days of one or more errors. */
export function hourlyPoints(days: readonly HourCounts[], currentHour: number): FrequencyPoint[] {
  const firstHour = currentHour - HOURS_SHOWN + 1;
  const points = emptyPoints(firstHour * 3600, 3600, HOURS_SHOWN);
  for (const { d, h } of days) {
    for (const [hour, count] of Object.entries(h)) {
      const point = points[d * 24 + Number(hour) - firstHour];
      if (point !== undefined) point[1] += count;
    }
  }
  return points;
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
