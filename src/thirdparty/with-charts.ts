import type { Clock } from '../domain/ports/clock.ts';
import type { ThirdpartyIssue } from '../schemas/thirdparty/issue.ts';
import { askTrackerWithin } from './http/ask-within.ts';
import { CHARTS_AT_ONCE, chartsIn, chartsRequest } from './endpoints/issue-charts.ts';
import { HOUR_SECONDS } from './map/frequency.ts';
import { ask, type TrackerSession } from './session.ts';
import { idText } from './http/shape.ts';

/** Milliseconds that a list or an error waits for its charts. */
const LIMIT_MS = 4000;

const PERIOD = '24h';
/** Ids of trackers with such a route; it refuses others. */
const NUMBER = /^[1-9]\d{0,17}$/;

/** Reads the charts of issues by their ids. Empty where the tracker has no such route, or does not answer in time. */
export async function chartsInTime(
  session: TrackerSession,
  ids: readonly string[],
  clock: Clock,
): Promise<ReadonlyMap<string, readonly unknown[]>> {
  const { dialect, organization } = session;
  const none = new Map<string, readonly unknown[]>();
  const numbers = dialect.chartsApart ? ids.filter((id) => NUMBER.test(id)) : [];
  if (numbers.length === 0) return none;
  try {
    const request = chartsRequest(organization, numbers.slice(0, CHARTS_AT_ONCE), PERIOD);
    const reply = await askTrackerWithin(session, LIMIT_MS, (limited) => ask(limited, request));
    // An older version: not asked again until the knowledge about lists expires.
    if (reply.status === 404 || reply.status === 405) dialect.chartsApart = false;
    return reply.ok ? chartsIn(reply.body, PERIOD, HOUR_SECONDS, clock.now()) : none;
  } catch (error) {
    if (session.signal?.aborted === true) throw error;
    return none;
  }
}

/** Returns issues with their charts, as far as these are known. */
export function withCharts<T extends ThirdpartyIssue>(
  issues: readonly T[],
  charts: ReadonlyMap<string, readonly unknown[]>,
): T[] {
  return issues.map((issue) => {
    const chart = charts.get(idText(issue.id, 'id'));
    return chart === undefined ? issue : { ...issue, stats: { ...issue.stats, [PERIOD]: chart } };
  });
}
