import { HOUR_MS } from '../durations.ts';

/** Spans that end now, which lists choose and sort by. */
export const TIME_RANGES = ['1h', '24h', '7d', '14d', '30d'] as const;
export type TimeRange = (typeof TIME_RANGES)[number];

/** Hours of each range. */
export const RANGE_HOURS: Readonly<Record<TimeRange, number>> = {
  '1h': 1,
  '24h': 24,
  '7d': 168,
  '14d': 336,
  '30d': 720,
};

/** Hours of one bucket of a range's chart. */
export const BUCKET_HOURS: Readonly<Record<TimeRange, number>> = { '1h': 1, '24h': 1, '7d': 6, '14d': 12, '30d': 24 };

/** Returns the time in milliseconds at which a range begins. Errors that were last seen since then are in it. */
export function startOf(range: TimeRange, now: number): number {
  return now - RANGE_HOURS[range] * HOUR_MS;
}

/**
 * Returns the first hour since the epoch of which a range counts events. Events are counted by the hour, and the hour in
 * which the range begins counts as a whole. So each error in the range has events in it.
 */
export function firstHourOf(range: TimeRange, now: number): number {
  return Math.floor(startOf(range, now) / HOUR_MS);
}
