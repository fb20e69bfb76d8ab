const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Starts of the buckets of a chart that ends now, in milliseconds; buckets are whole multiples of `step` (UTC). */
export function bucketTimes(spanMs: number, stepMs: number, now: number): number[] {
  const last = Math.floor(now / stepMs) * stepMs;
  const buckets = Math.ceil(spanMs / stepMs);
  return Array.from({ length: buckets }, (_, index) => last - (buckets - 1 - index) * stepMs);
}

export interface AxisTick {
  /** From 0, the begin of the first bucket, to 1, the end of the last. */
  readonly place: number;
  readonly text: string;
}

/** Hours between two ticks. Divisors of a day, so that every day has the same. */
const HOUR_STEPS = [1, 2, 3, 4, 6, 12] as const;
/** Part of the axis at its end without ticks: their texts would leave the chart. */
const END = 0.06;

/**
 * Ticks of a time axis at their true distances, at most `wanted`: buckets of days are named as they are (UTC), shorter
 * ones by the days that begin, or by round hours, in the time zone of the browser.
 */
export function axisTicks(times: readonly number[], stepMs: number, wanted: number): AxisTick[] {
  const [from] = times;
  if (from === undefined) return [];
  const span = times.length * stepMs;
  const ticks =
    stepMs >= DAY_MS
      ? dayBuckets(times, wanted)
      : stepMs > HOUR_MS
        ? days(from, span, wanted)
        : hours(from, span, wanted);
  return ticks
    .map(({ at, text }) => ({ place: (at - from) / span, text }))
    .filter(({ place }) => place >= 0 && place <= 1 - END);
}

interface Tick {
  readonly at: number;
  readonly text: string;
}

/** Names every bucket, or every few of them, the first one always. */
function dayBuckets(times: readonly number[], wanted: number): Tick[] {
  const every = Math.max(1, Math.ceil(times.length / wanted));
  const named = times.filter((_, index) => index % every === 0);
  const text = (at: number) =>
    new Date(at).toLocaleDateString('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
  return named.map((at) => ({ at, text: text(at) }));
}

/** Midnights of a span, every few days in a long one. */
function days(from: number, span: number, wanted: number): Tick[] {
  const every = Math.max(1, Math.ceil(span / DAY_MS / wanted));
  const ticks: Tick[] = [];
  const day = new Date(from);
  day.setHours(0, 0, 0, 0);
  // A day may have 23 or 25 hours.
  for (; day.getTime() < from + span; day.setDate(day.getDate() + every)) {
    const text = `${day.toLocaleDateString('en', { weekday: 'short' })} ${day.getDate()}`;
    ticks.push({ at: day.getTime(), text });
  }
  return ticks;
}

/** Round hours of a span. */
function hours(from: number, span: number, wanted: number): Tick[] {
  const every = HOUR_STEPS.find((each) => span / HOUR_MS / each <= wanted) ?? 24;
  const ticks: Tick[] = [];
  const hour = new Date(from);
  hour.setMinutes(0, 0, 0);
  for (; hour.getTime() < from + span; hour.setTime(hour.getTime() + HOUR_MS)) {
    if (hour.getHours() % every !== 0) continue;
    const text = hour.toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    ticks.push({ at: hour.getTime(), text });
  }
  return ticks;
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
