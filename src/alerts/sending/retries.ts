import type { SendResult } from '../../domain/ports/alert-sender.ts';
import { HOUR_MS } from '../../domain/durations.ts';

const MINUTE_MS = 60_000;

/** Milliseconds from a failed attempt to the next one; after the last the delivery has failed. */
const DELAYS_MS = [
  5000,
  30_000,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
] as const;

/** Part of a delay by which it is longer or shorter by chance, so that receivers are not met by all at once. */
const SPREAD = 0.2;
/** Longest delay in milliseconds. */
export const MAX_RETRY_MS = 8 * HOUR_MS * (1 + SPREAD);
/** Maximum milliseconds that a receiver may ask to wait. */
const MAX_ASKED_MS = HOUR_MS;
/** Attempts of a message that the receiver refuses. */
const REFUSED_ATTEMPTS = 3;

/**
 * Returns the time of the next attempt after `attempts` of them; null: the delivery has failed. `random`: 0 inclusive to
 * 1 exclusive. A delay that the receiver asks for only makes it later.
 */
export function nextAttempt(
  result: Exclude<SendResult, { outcome: 'sent' }>,
  attempts: number,
  now: number,
  random: number,
): number | null {
  if (result.outcome === 'gone') return null;
  if (result.outcome === 'refused' && attempts >= REFUSED_ATTEMPTS) return null;
  const delay = DELAYS_MS[attempts - 1];
  if (delay === undefined) return null;
  const asked = result.outcome === 'retry' ? Math.min(result.afterMs ?? 0, MAX_ASKED_MS) : 0;
  return now + Math.max(asked, Math.round(delay * (1 - SPREAD + 2 * SPREAD * random)));
}
