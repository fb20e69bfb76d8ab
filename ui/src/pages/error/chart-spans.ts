import type { ErrorDetail } from '../../api/errors-api.ts';

export const SPANS = ['24h', '7d', '14d', '30d'] as const;
export type Span = (typeof SPANS)[number];

/** Days of the spans that are cut from the last 30 days. */
const DAYS = { '7d': 7, '14d': 14, '30d': 30 } as const;

export const SPAN_NAMES: Readonly<Record<Span, string>> = {
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '14d': 'Last 14 days',
  '30d': 'Last 30 days',
};

/** Span that shows a range of the list; null: there is no range. */
export function spanOfRange(range: unknown): Span | null {
  return range === '1h' ? '24h' : (SPANS.find((span) => span === range) ?? null);
}

type Counts = Pick<ErrorDetail, 'frequency' | 'frequency_30d'>;
type Points = readonly (readonly number[])[];

/** Points of a span; null when the backend does not report them. */
export function pointsOf({ frequency, frequency_30d: days }: Counts, span: Span): Points | null {
  if (span === '24h') return frequency;
  return days === null ? null : days.slice(-DAYS[span]);
}

/** The shortest span with events, of those that the backend reports; null for none. */
export function firstSpan(counts: Counts): Span | null {
  const known = SPANS.filter((span) => pointsOf(counts, span) !== null);
  const hasEvents = (span: Span) => (pointsOf(counts, span) ?? []).some(([, count]) => (count ?? 0) > 0);
  return known.find(hasEvents) ?? known.at(-1) ?? null;
}
