import type { OutcomeRow } from '../../api/outcomes-api.ts';
import type { ChartSeries } from '../../lib/chart-series.ts';
import { OUTCOMES } from './outcome-texts.ts';

/** Sums of a key: what was stored of it, and what was not. */
export interface KeyUsage {
  readonly keyId: number;
  readonly accepted: number;
  readonly dropped: number;
}

/** Adds rows with a time up to one series per outcome, with a count per bucket. */
export function seriesOf(rows: readonly OutcomeRow[], times: readonly number[], step: number): ChartSeries[] {
  const first = times[0] ?? 0;
  const counts = new Map(OUTCOMES.map(({ outcome }) => [outcome, times.map(() => 0)]));
  for (const { hour, day, outcome, quantity } of rows) {
    const of = outcome === undefined ? undefined : counts.get(outcome);
    const at = Math.floor((Date.parse(hour ?? day ?? '') - first) / step);
    if (of?.[at] !== undefined) of[at] += quantity;
  }
  return OUTCOMES.map(({ outcome, name, tone }) => ({ name, tone, counts: counts.get(outcome) ?? [] }));
}

/** Adds rows with a key up, most used first. */
export function usageOfKeys(rows: readonly OutcomeRow[]): KeyUsage[] {
  const keys = new Map<number, KeyUsage>();
  for (const { key_id: keyId = 0, outcome, quantity } of rows) {
    const { accepted, dropped } = keys.get(keyId) ?? { accepted: 0, dropped: 0 };
    const isAccepted = outcome === 'accepted';
    keys.set(keyId, {
      keyId,
      accepted: accepted + (isAccepted ? quantity : 0),
      dropped: dropped + (isAccepted ? 0 : quantity),
    });
  }
  return [...keys.values()].sort((a, b) => b.accepted + b.dropped - (a.accepted + a.dropped));
}
