/** Largest time of a date, in milliseconds. */
const LAST_INSTANT = 8.64e15;

/** Formats a time as ISO 8601 in UTC with milliseconds; limits it to the range of dates. */
export function isoTime(at: number): string {
  const instant = Number.isFinite(at) ? Math.min(Math.max(at, -LAST_INSTANT), LAST_INSTANT) : 0;
  return new Date(instant).toISOString();
}
