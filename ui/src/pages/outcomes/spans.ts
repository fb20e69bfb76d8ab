const HOUR = 3600 * 1000;

/** Selectable time spans. Values are milliseconds. */
export const SPANS = [
  { name: '24 hours', ms: 24 * HOUR },
  { name: '7 days', ms: 7 * 24 * HOUR },
  { name: '30 days', ms: 30 * 24 * HOUR },
] as const;

export function sinceBefore(ms: number): string {
  return new Date(Date.now() - ms).toISOString();
}
