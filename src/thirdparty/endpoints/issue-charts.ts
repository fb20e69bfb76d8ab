import type { FrequencyPoint } from '../../domain/errors/tracked-error.ts';
import { isRecord } from '../../lib/own-property.ts';
import { filledText, listOf } from '../map/values.ts';
import { apiPath } from '../session.ts';

/** Issues of one request; GlitchTip cuts the answer at 200. */
export const CHARTS_AT_ONCE = 100;

/** Names of the charts that one request may ask for. */
export type ChartPeriod = '24h' | '14d';

/** Request for the charts of several issues. */
export function chartsRequest(organization: string, ids: readonly string[], period: ChartPeriod) {
  const query: (readonly [string, string])[] = ids.map((id) => ['groups', id]);
  return {
    path: apiPath('organizations', organization, 'issues-stats'),
    query: [...query, ['statsPeriod', period]],
  } as const;
}

/**
 * Reads the charts of an answer by issue, up to the bucket of `now` (milliseconds): the tracker leaves buckets without
 * events out. Its `userCount` is the number of events, and not read.
 */
export function chartsIn(
  body: unknown,
  period: ChartPeriod,
  bucketSeconds: number,
  now: number,
): Map<string, FrequencyPoint[]> {
  const charts = new Map<string, FrequencyPoint[]>();
  const present: FrequencyPoint = [Math.floor(now / 1000 / bucketSeconds) * bucketSeconds, 0];
  for (const row of listOf(body)) {
    const id = isRecord(row) ? filledText(row.id) : null;
    const points = isRecord(row) && isRecord(row.stats) ? row.stats[period] : null;
    if (id !== null && Array.isArray(points)) charts.set(id, [...(points as FrequencyPoint[]), present]);
  }
  return charts;
}
