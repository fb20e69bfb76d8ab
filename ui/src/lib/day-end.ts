/** Formats a time as the day of a date field, in the time zone of the browser. */
export function dayOf(at: Date): string {
  const part = (number: number): string => String(number).padStart(2, '0');
  return `${String(at.getFullYear()).padStart(4, '0')}-${part(at.getMonth() + 1)}-${part(at.getDate())}`;
}

/** Returns the last second of the day of a date field, in the time zone of the browser, as RFC 3339. */
export function endOfDay(day: string): string {
  return new Date(`${day}T23:59:59`).toISOString();
}
