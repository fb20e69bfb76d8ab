const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Seconds from which a unit is used. */
const STEPS = [
  [365 * DAY, 'y'],
  [30 * DAY, 'mo'],
  [DAY, 'd'],
  [HOUR, 'h'],
  [MINUTE, 'min'],
] as const;

/** Formats an age: `3 min ago`. Tolerates small clock differences, so that no error appears in the future. */
export function relativeTime(at: number, now: number): string {
  const seconds = Math.round((now - at) / 1000);
  if (seconds < -MINUTE) return `in ${duration(-seconds)}`;
  return seconds < 10 ? 'just now' : `${duration(seconds)} ago`;
}

/** Formats seconds by the greatest unit that they fill: `45 s`, `3 min`. */
export function duration(seconds: number): string {
  const step = STEPS.find(([length]) => seconds >= length);
  return step === undefined ? `${Math.round(seconds)} s` : `${Math.floor(seconds / step[0])} ${step[1]}`;
}
