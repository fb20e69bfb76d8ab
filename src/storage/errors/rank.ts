import { ESCALATING_FOR_MS, NEW_FOR_MS, REVIEW_FOR_MS } from '../../domain/errors/error-marks.ts';
import { mattersRank, type RankedError } from '../../domain/errors/matters-rank.ts';
import { firstHourOf, RANGE_HOURS, TIME_RANGES, type TimeRange } from '../../domain/search/time-range.ts';
import { countsDays } from './chart-span.ts';
import { HOUR_MS } from '../../domain/durations.ts';

/** What a rank is made of beside counts of events. */
export interface ErrorToRank extends Omit<RankedError, 'events'> {
  readonly firstSeen: number;
}

export interface Rank {
  /** Greatest first; docs/adr/0017. */
  readonly matters: number;
  /** Events of each range. */
  readonly events: Readonly<Record<TimeRange, number>>;
  /** Time in milliseconds at which the rank changes without an event; null: never. */
  readonly dueAt: number | null;
}

/** Events of an hour, or of a UTC day that a former tracker counted. `hour`: its start, in hours since the epoch. */
export interface CountedHour {
  readonly hour: number;
  readonly count: number;
  readonly days: boolean;
}

/** Events per range, and the oldest hour of each; null: it has none. */
export interface RangeSums {
  readonly events: Record<TimeRange, number>;
  readonly oldest: Record<TimeRange, number | null>;
}

/** Returns sums without any event. */
export function noSums(): RangeSums {
  return {
    events: { '1h': 0, '24h': 0, '7d': 0, '14d': 0, '30d': 0 },
    oldest: { '1h': null, '24h': null, '7d': null, '14d': null, '30d': null },
  };
}

/**
 * Adds what a former tracker counted by the hour for `1h` and `24h`, and by the day for longer ranges. A day counts until
 * its last hour has left the range.
 */
export function addImported(sums: RangeSums, counted: readonly CountedHour[], now: number): void {
  for (const { hour, count, days } of counted) {
    for (const range of TIME_RANGES) {
      const last = days ? hour + 23 : hour;
      if (days === countsDays(range) && last >= firstHourOf(range, now)) addHour(sums, range, last, count);
    }
  }
}

/** Adds events of a range whose oldest hour is given. */
export function addHour({ events, oldest }: RangeSums, range: TimeRange, hour: number, count: number): void {
  events[range] += count;
  oldest[range] = Math.min(oldest[range] ?? hour, hour);
}

/** Returns the rank of an error at a time. */
export function rankOf(error: ErrorToRank, { events, oldest }: RangeSums, now: number): Rank {
  const { isNew, regressed, escalating } = error.marks;
  const ends = TIME_RANGES.flatMap((range) => {
    const hour = oldest[range];
    return hour === null ? [] : [(hour + RANGE_HOURS[range] + 1) * HOUR_MS];
  });
  if (isNew) ends.push(error.firstSeen + NEW_FOR_MS);
  const [since, cameBack] = [escalating?.at ?? null, regressed?.at ?? null];
  if (since !== null) ends.push(since + ESCALATING_FOR_MS);
  if (cameBack !== null) ends.push(cameBack + REVIEW_FOR_MS);
  const later = ends.filter((end) => end > now);
  const matters = mattersRank({ ...error, events: events['24h'] });
  return { matters, events, dueAt: later.length === 0 ? null : Math.min(...later) };
}
