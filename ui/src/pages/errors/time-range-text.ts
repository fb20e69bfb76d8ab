const DATE = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

function words(time: string, parts: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-GB', parts).format(new Date(time));
}

/**
 * A range of times in words, in the zone of the browser: `between 23 Nov 2026, 14:00 and 15:30`, `since …`, `before …`.
 * Empty without bounds.
 */
export function timeRangeText(after: string, before: string): string {
  const full = { ...DATE, ...TIME };
  if (after === '' && before === '') return '';
  if (before === '') return `since ${words(after, full)}`;
  if (after === '') return `before ${words(before, full)}`;
  const sameDay = words(after, DATE) === words(before, DATE);
  return `between ${words(after, full)} and ${words(before, sameDay ? TIME : full)}`;
}
