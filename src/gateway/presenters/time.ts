/** The largest instant a date can hold, in milliseconds. */
const LAST_INSTANT = 8.64e15;

/** ISO 8601 in UTC with milliseconds; instants beyond the calendar become its end. */
export function isoTime(at: number): string {
  const instant = Number.isFinite(at) ? Math.min(Math.max(at, -LAST_INSTANT), LAST_INSTANT) : 0;
  return new Date(instant).toISOString();
}
