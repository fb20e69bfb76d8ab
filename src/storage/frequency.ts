import type { FrequencyPoint } from '../domain/tracked-error.ts';

/** Hours that lists show per error, the current one included. */
export const HOURS_SHOWN = 24;
/** UTC days that an error's page shows, today included. */
export const DAYS_SHOWN = 30;

/** Buckets without events, oldest first; start and width in seconds. */
export function emptyPoints(start: number, width: number, count: number): FrequencyPoint[] {
  return Array.from({ length: count }, (_, index) => [start + index * width, 0]);
}
