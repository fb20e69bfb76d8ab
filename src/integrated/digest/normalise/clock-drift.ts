/** Minimum drift; smaller differences are taken for the transfer time. */
const MIN_DRIFT_MS = 55 * 60_000;
const MAX_FUTURE_MS = 60_000;
const MAX_AGE_MS = 30 * 24 * 3_600_000;

/**
 * Returns the milliseconds to add to every timestamp of a sender with a wrong clock; 0 when it is not known to be
 * wrong.
 */
export function clockDrift(receivedAt: number, sentAt: number | null): number {
  const drift = sentAt === null ? 0 : receivedAt - sentAt;
  return Math.abs(drift) >= MIN_DRIFT_MS ? drift : 0;
}

/** Returns true when an event of time `at` can have been received at `receivedAt`. */
export function isPlausible(at: number, receivedAt: number): boolean {
  return at <= receivedAt + MAX_FUTURE_MS && at >= receivedAt - MAX_AGE_MS;
}
