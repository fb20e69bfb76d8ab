const whole = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** From here on a list shows thousands; the whole number stands in the tooltip. */
const COMPACT_FROM = 10_000;

export function wholeNumber(value: number): string {
  return whole.format(value);
}

/** Short enough for a column: `9,999`, `12.3K`. */
export function shortNumber(value: number): string {
  return value < COMPACT_FROM ? whole.format(value) : compact.format(value);
}

/** `1 event`, `2 events`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${whole.format(value)} ${value === 1 ? one : many}`;
}
