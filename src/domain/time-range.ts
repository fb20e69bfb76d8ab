/** Spans that end now, which lists count and sort by. */
export const TIME_RANGES = ['1h', '24h', '7d', '14d', '30d'] as const;
export type TimeRange = (typeof TIME_RANGES)[number];

/**
 * Hours of each range. Events are counted by the hour: a range begins with a full hour and ends now, so `1h` is the
 * current hour and the one before it.
 */
export const RANGE_HOURS: Readonly<Record<TimeRange, number>> = {
  '1h': 2,
  '24h': 24,
  '7d': 168,
  '14d': 336,
  '30d': 720,
};

/** Hours of one bucket of a range's chart. `1h` and `24h` show the same 24 hours. */
export const BUCKET_HOURS: Readonly<Record<TimeRange, number>> = { '1h': 1, '24h': 1, '7d': 6, '14d': 12, '30d': 24 };

/** Returns the number of buckets of a range's chart: 24 to 30. */
export function bucketsOf(range: TimeRange): number {
  return Math.max(24, RANGE_HOURS[range]) / BUCKET_HOURS[range];
}

/** Returns the first hour since the epoch that belongs to a range. */
export function firstHourOf(range: TimeRange, now: number): number {
  return Math.floor(now / 3_600_000) - RANGE_HOURS[range] + 1;
}
