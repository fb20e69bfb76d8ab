/** Smaller differences are taken for the time the request was under way. */
const MIN_DRIFT_MS = 55 * 60_000;
const MAX_FUTURE_MS = 60_000;
const MAX_AGE_MS = 30 * 24 * 3_600_000;

/** Milliseconds to add to every timestamp of an event whose sender's clock is wrong; 0 when it is not known to be. */
export function clockDrift(receivedAt: number, sentAt: number | null): number {
  const drift = sentAt === null ? 0 : receivedAt - sentAt;
  return Math.abs(drift) >= MIN_DRIFT_MS ? drift : 0;
}

/** Whether an event that claims to have happened at `at` can have been received at `receivedAt`. */
export function isPlausible(at: number, receivedAt: number): boolean {
  return at <= receivedAt + MAX_FUTURE_MS && at >= receivedAt - MAX_AGE_MS;
}
