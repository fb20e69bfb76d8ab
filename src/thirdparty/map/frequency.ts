import type { FrequencyPoint } from '../../domain/tracked-error.ts';
import { countOf, listOf } from './values.ts';

export const HOUR_SECONDS = 3600;
export const DAY_SECONDS = 86_400;

function points(value: unknown): FrequencyPoint[] {
  return listOf(value).flatMap((point): FrequencyPoint[] => {
    if (!Array.isArray(point)) return [];
    const start: unknown = point[0];
    const count = countOf(point[1]);
    return typeof start === 'number' && Number.isFinite(start) && count !== null ? [[Math.floor(start), count]] : [];
  });
}

/**
 * Exactly `buckets` counts, oldest first, up to the newest that the tracker sent; trackers send one more, for the
 * part of the window before the first whole bucket. Null when there is nothing: the tracker does not count.
 * Buckets that slide with the clock of the tracker count for the hour or day in which they end: the newest one
 * holds now, as that of a tracker with whole hours and days does.
 */
export function frequencyOf(value: unknown, buckets: number, bucketSeconds: number): FrequencyPoint[] | null {
  const known = points(value);
  if (known.length === 0) return null;
  const bucketOf = (seconds: number): number => Math.floor((seconds + bucketSeconds - 1) / bucketSeconds);
  const newest = Math.max(...known.slice(-buckets * 2).map(([start]) => bucketOf(start)));
  const counts = new Map<number, number>();
  for (const [start, count] of known) counts.set(bucketOf(start), (counts.get(bucketOf(start)) ?? 0) + count);
  return Array.from({ length: buckets }, (_, index): FrequencyPoint => {
    const bucket = newest - buckets + 1 + index;
    return [bucket * bucketSeconds, counts.get(bucket) ?? 0];
  });
}
