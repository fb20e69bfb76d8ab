import type { FrequencyPoint } from '../../domain/errors/tracked-error.ts';

/** Hours shown per error in lists, the current one included. */
export const HOURS_SHOWN = 24;
/** UTC days shown on an error's page, today included. */
export const DAYS_SHOWN = 30;

/** Creates buckets without events, oldest first; start and width in seconds. */
export function emptyPoints(start: number, width: number, count: number): FrequencyPoint[] {
  return Array.from({ length: count }, (_, index) => [start + index * width, 0]);
}
