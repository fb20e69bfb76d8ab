import { timeOf } from '../../thirdparty/map/values.ts';

const EARLIEST = Date.UTC(2000, 0, 1);

/** First plausible time of an event, in milliseconds: ISO 8601 or seconds. Later than `now`, or none: `now`. */
export function eventTime(values: readonly unknown[], now: number): number {
  for (const value of values) {
    const time = typeof value === 'number' ? Math.round(value * 1000) : timeOf(value);
    if (time !== null && time >= EARLIEST) return Math.min(time, now);
  }
  return now;
}
