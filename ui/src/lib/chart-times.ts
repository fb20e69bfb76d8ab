const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Starts of the buckets of a chart that ends now, in milliseconds; buckets are whole multiples of `step` (UTC). */
export function bucketTimes(spanMs: number, stepMs: number, now: number): number[] {
  const last = Math.floor(now / stepMs) * stepMs;
  const buckets = Math.ceil(spanMs / stepMs);
  return Array.from({ length: buckets }, (_, index) => last - (buckets - 1 - index) * stepMs);
}

/** Label of a bucket on the axis. Days are in UTC, hours in the time zone of the browser. */
export function axisLabel(at: number, stepMs: number): string {
  const date = new Date(at);
  if (stepMs >= DAY_MS) return date.toLocaleDateString('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
  if (stepMs > HOUR_MS) return date.toLocaleDateString('en', { weekday: 'short', day: 'numeric' });
  return date.toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}

/** Whole label of a bucket: `Mon, Nov 23, 08:00`. */
export function bucketLabel(at: number, stepMs: number): string {
  const date = new Date(at);
  if (stepMs >= DAY_MS) {
    return date.toLocaleDateString('en', { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' });
  }
  return date.toLocaleString('en', {
    ...{ weekday: 'short', month: 'short', day: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  });
}
