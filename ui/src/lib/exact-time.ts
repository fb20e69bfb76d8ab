const SHOWN = {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
} as const;

const thisYear = new Intl.DateTimeFormat('en', { ...SHOWN, fractionalSecondDigits: 3, timeZoneName: 'short' });
const otherYear = new Intl.DateTimeFormat('en', {
  ...SHOWN,
  year: 'numeric',
  fractionalSecondDigits: 3,
  timeZoneName: 'short',
});
const utc = new Intl.DateTimeFormat('en', {
  ...SHOWN,
  year: 'numeric',
  fractionalSecondDigits: 3,
  timeZone: 'UTC',
  timeZoneName: 'short',
});

/** Formats a time for comparing it with logs, in the zone of the browser: `Nov 23, 04:22:08.392 UTC`. */
export function exactTime(at: string, now = Date.now()): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return at;
  return (time.getFullYear() === new Date(now).getFullYear() ? thisYear : otherYear).format(time);
}

/** The same in UTC, with its year. */
export function utcTime(at: string): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? at : utc.format(time);
}
