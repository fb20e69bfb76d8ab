import type { FrequencyPoint } from '../../domain/errors/tracked-error.ts';
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
 * Returns exactly `buckets` counts, oldest first, up to the newest one of the tracker. Trackers send an extra partial
 * bucket at the start. Null when the tracker does not count. Sliding buckets count for the hour or day in which they
 * end, so the newest one always contains now.
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
