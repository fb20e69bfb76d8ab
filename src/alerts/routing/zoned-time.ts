import type { QuietHours } from '../../domain/alerts/alert-rule.ts';
import { DAY_MS } from '../../domain/durations.ts';

const formats = new Map<string, Intl.DateTimeFormat>();
/** Maximum zones whose formats are kept; there are about 600 names. */
const MAX_FORMATS = 1000;

/** Returns true for a zone that this Node.js knows, such as `Europe/Berlin`. */
export function isZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    if (formats.size < MAX_FORMATS) formats.set(zone, format);
  }
  return format;
}

/** Returns what the clocks of the zone show, as if it were UTC. An unknown zone counts as UTC. */
function wallTime(zone: string, at: number): number {
  if (!isZone(zone)) return at;
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(at)) parts[type] = Number(value);
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** Milliseconds by which the clocks of the zone are ahead of UTC. */
function offsetAt(zone: string, at: number): number {
  return wallTime(zone, at) - Math.floor(at / 1000) * 1000;
}

/**
 * Returns the instant at which the clocks of the zone show a time. A time that occurs twice means the first; one that
 * is skipped means as long after the change of the clocks (02:30 becomes 03:30).
 */
function instantOf(zone: string, wall: number): number {
  const before = offsetAt(zone, wall - DAY_MS);
  const after = offsetAt(zone, wall + DAY_MS);
  const valid = [wall - before, wall - after].filter((at) => wallTime(zone, at) === wall);
  return valid.length === 0 ? wall - before : Math.min(...valid);
}

/** Milliseconds since midnight of HH:MM. */
function timeOfDay(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return (hours * 60 + minutes) * 60_000;
}

/** Returns the instants around `at` at which the clocks show a time, one per day, ascending. */
function instantsAround(zone: string, at: number, time: string): number[] {
  const midnight = Math.floor(wallTime(zone, at) / DAY_MS) * DAY_MS;
  return [-2, -1, 0, 1, 2].map((day) => instantOf(zone, midnight + day * DAY_MS + timeOfDay(time)));
}

/** Returns the first instant after `at` at which the clocks of the zone show HH:MM; one per day of the zone. */
export function nextTimeOfDay(zone: string, time: string, at: number): number {
  return instantsAround(zone, at, time).find((instant) => instant > at) ?? at + DAY_MS;
}

/** Returns the last instant, up to and including `at`, at which the clocks of the zone showed HH:MM. */
export function lastTimeOfDay(zone: string, time: string, at: number): number {
  return instantsAround(zone, at, time).findLast((instant) => instant <= at) ?? at - DAY_MS;
}

/** Returns the end of the quiet hours that contain `at`; null: it is not within them. Equal times mean none. */
export function quietUntil(zone: string, quiet: QuietHours | null, at: number): number | null {
  if (quiet === null || quiet.from === quiet.to) return null;
  const from = lastTimeOfDay(zone, quiet.from, at);
  const to = nextTimeOfDay(zone, quiet.to, from);
  return at < to ? to : null;
}

/** Returns HH:MM by the clocks of the zone. */
export function shownTime(zone: string, at: number): string {
  return new Date(wallTime(zone, at)).toISOString().slice(11, 16);
}
