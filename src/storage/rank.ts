import { ESCALATING_FOR_MS, NEW_FOR_MS, type ErrorMarks } from '../domain/error-marks.ts';
import type { Level } from '../domain/event.ts';
import { firstHourOf, RANGE_HOURS, TIME_RANGES, type TimeRange } from '../domain/time-range.ts';
import { HOUR_MS } from './fold.ts';

/** What the order `matters` reads of an error. */
export interface RankedError {
  readonly marks: Pick<ErrorMarks, 'isNew' | 'regressed' | 'escalating' | 'unhandled'>;
  readonly level: Level;
  readonly users: number;
  readonly firstSeen: number;
  readonly lastSeen: number;
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

const AGE_COUNTED_FROM = Date.UTC(2025, 0, 1);
const AGE_STEP_MS = 43_200_000;

/** Returns sums without any event. */
export function noSums(): RangeSums {
  return {
    events: { '1h': 0, '24h': 0, '7d': 0, '14d': 0, '30d': 0 },
    oldest: { '1h': null, '24h': null, '7d': null, '14d': null, '30d': null },
  };
}

/** Adds what a former tracker counted by the hour for `1h` and `24h`, and by the day for longer ranges. */
export function addImported(sums: RangeSums, counted: readonly CountedHour[], now: number): void {
  for (const { hour, count, days } of counted) {
    for (const range of TIME_RANGES) {
      if (days === RANGE_HOURS[range] <= 24 || hour < firstHourOf(range, now)) continue;
      addHour(sums, range, hour, count);
    }
  }
}

/** Adds events of a range whose oldest hour is given. */
export function addHour({ events, oldest }: RangeSums, range: TimeRange, hour: number, count: number): void {
  events[range] += count;
  oldest[range] = Math.min(oldest[range] ?? hour, hour);
}

/** Returns the rank of an error at a time. */
export function rankOf(error: RankedError, { events, oldest }: RangeSums, now: number): Rank {
  const { isNew, regressed, escalating, unhandled } = error.marks;
  const score =
    Math.log2(1 + events['24h']) +
    2 * Math.log2(1 + error.users) +
    (regressed === null ? 0 : 12) +
    (escalating === null ? 0 : 10) +
    (isNew ? 8 : 0) +
    (error.level === 'fatal' || unhandled === true ? 4 : 0) +
    (error.lastSeen - AGE_COUNTED_FROM) / AGE_STEP_MS;
  const ends = TIME_RANGES.flatMap((range) => {
    const hour = oldest[range];
    return hour === null ? [] : [(hour + RANGE_HOURS[range]) * HOUR_MS];
  });
  if (isNew) ends.push(error.firstSeen + NEW_FOR_MS);
  if (escalating !== null) ends.push(escalating.at + ESCALATING_FOR_MS);
  const later = ends.filter((end) => end > now);
  return { matters: Math.round(score * 1000), events, dueAt: later.length === 0 ? null : Math.min(...later) };
}
