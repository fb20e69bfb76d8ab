/** Time ranges of the list, shortest first. The address and the service use the same words. */
export const RANGES = ['1h', '24h', '7d', '14d', '30d'] as const;
export type TimeRange = (typeof RANGES)[number];

interface Span {
  /** For buttons and heads of columns. */
  readonly short: string;
  /** After "in the last". */
  readonly long: string;
  /** What its chart covers, after "in the last". */
  readonly chart: string;
  /** Hours of one bar of its chart; the service has the same. */
  readonly bucketHours: number;
}

const SPANS: Readonly<Record<TimeRange, Span>> = {
  '1h': { short: '1 h', long: '1 hour', chart: '24 hours', bucketHours: 1 },
  '24h': { short: '24 h', long: '24 hours', chart: '24 hours', bucketHours: 1 },
  '7d': { short: '7 d', long: '7 days', chart: '7 days', bucketHours: 6 },
  '14d': { short: '14 d', long: '14 days', chart: '14 days', bucketHours: 12 },
  '30d': { short: '30 d', long: '30 days', chart: '30 days', bucketHours: 24 },
};

/** Texts of a range. Without a range, charts show 24 hours. */
export function spanOf(range: TimeRange | ''): Span {
  return SPANS[range === '' ? '24h' : range];
}

/** Explains a range: which errors it lists, and what it counts. */
export function spanHint(range: TimeRange): string {
  const seen = `Errors seen in the last ${SPANS[range].long}, with their events within it.`;
  return `${seen} Events are counted by the hour: those of the hour in which it begins all count.`;
}
