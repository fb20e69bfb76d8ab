const HOUR = 3600 * 1000;
const DAY = 24 * HOUR;

export interface UsageSpan {
  /** Name in the address. */
  readonly value: string;
  readonly label: string;
  /** Milliseconds. */
  readonly ms: number;
  /** Milliseconds of one bar of the chart. */
  readonly step: number;
}

/** Selectable time spans. */
export const SPANS = [
  { value: '24h', label: '24 hours', ms: DAY, step: HOUR },
  { value: '7d', label: '7 days', ms: 7 * DAY, step: 6 * HOUR },
  { value: '30d', label: '30 days', ms: 30 * DAY, step: DAY },
] as const satisfies readonly UsageSpan[];

/** Span of the address; an unknown one counts as the first. */
export function spanOf(value: string): UsageSpan {
  return SPANS.find((span) => span.value === value) ?? SPANS[0];
}

export function sinceBefore(ms: number): string {
  return new Date(Date.now() - ms).toISOString();
}
