const whole = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** Numbers from here on are abbreviated in lists; the tooltip has the full number. */
const COMPACT_FROM = 10_000;

export function wholeNumber(value: number): string {
  return whole.format(value);
}

/** Where the service stops to count errors, in every answer. */
export const MAX_COUNTED = 10_000;

/** Formats a number of errors that may have stopped at the maximum: `53`, `10,000+`. */
export function cappedCount(count: number): string {
  return count >= MAX_COUNTED ? `${whole.format(MAX_COUNTED)}+` : whole.format(count);
}

/** Formats a number for a column: `9,999`, `12.3K`. */
export function shortNumber(value: number): string {
  return value < COMPACT_FROM ? whole.format(value) : compact.format(value);
}

/** Formats a number with its noun: `1 event`, `2 events`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${whole.format(value)} ${value === 1 ? one : many}`;
}
