import { isRecord } from '../../../lib/own-property.ts';
import type { FrequencyPoint } from '../../../domain/errors/tracked-error.ts';
import { DAY_SECONDS } from '../../../thirdparty/map/frequency.ts';
import { countOf, listOf, timeOf } from '../../../thirdparty/map/values.ts';

const MAX_DAYS = 100;

/** Adds counts up by UTC day, oldest first. Times are in seconds. */
export function byDay(points: readonly FrequencyPoint[]): FrequencyPoint[] {
  const days = new Map<number, number>();
  for (const [seconds, count] of points) {
    const day = Math.floor(seconds / DAY_SECONDS) * DAY_SECONDS;
    days.set(day, (days.get(day) ?? 0) + count);
  }
  return [...days].sort(([one], [other]) => one - other);
}

/** As `byDay`, without points that have no count or lie outside the last MAX_DAYS days. */
function knownByDay(points: readonly (readonly [number, number | null])[], now: number): FrequencyPoint[] {
  const [from, to] = [now / 1000 - (MAX_DAYS + 1) * DAY_SECONDS, now / 1000 + DAY_SECONDS];
  return byDay(
    points.flatMap(([seconds, count]): FrequencyPoint[] =>
      count !== null && seconds > from && seconds < to ? [[seconds, count]] : [],
    ),
  );
}

/** Reads `stats_v2`: intervals and the series of each group. Null for other forms. */
export function daysOfStats(body: unknown, now: number): FrequencyPoint[] | null {
  if (!isRecord(body) || !Array.isArray(body.intervals) || !Array.isArray(body.groups)) return null;
  const starts = (body.intervals as unknown[]).slice(0, 1000).map((start) => (timeOf(start) ?? Number.NaN) / 1000);
  const points: [number, number | null][] = [];
  for (const group of (body.groups as unknown[]).slice(0, 100)) {
    const series = isRecord(group) && isRecord(group.series) ? listOf(group.series['sum(quantity)']) : [];
    for (const [index, start] of starts.entries()) points.push([start, countOf(series[index])]);
  }
  return knownByDay(points, now);
}

/** Reads the statistics of a project: `[[seconds, count]]` or `[{ts, count}]`. Null for other forms. */
export function daysOfProject(body: unknown, now: number): FrequencyPoint[] | null {
  if (!Array.isArray(body)) return null;
  const points = (body as unknown[]).slice(0, 10_000).map((point): [number, number | null] => {
    const [seconds, count] = isRecord(point) ? [point.ts, point.count] : listOf(point);
    return [typeof seconds === 'number' ? seconds : Number.NaN, countOf(count)];
  });
  return knownByDay(points, now);
}
