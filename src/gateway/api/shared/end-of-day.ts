import { AppError } from '../../../domain/app-error.ts';
import { DAY_MS } from '../../../domain/durations.ts';

/**
 * Returns the last millisecond of a day in UTC. Throws `invalid_parameter` for an invalid day, `bad_request` for a past
 * one.
 */
export function endOfDay(text: string, now: number): number {
  const begins = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // 31 February would silently become a day in March.
  if (Number.isNaN(begins) || !new Date(begins).toISOString().startsWith(text)) {
    throw new AppError('invalid_parameter', 'expires_at is invalid: use a date such as 2027-01-31');
  }
  if (begins + DAY_MS <= now) throw new AppError('bad_request', 'expires_at must not be in the past.');
  return begins + DAY_MS - 1;
}
