import type { FrequencyPoint } from '../../domain/errors/tracked-error.ts';
import { CHARTS_AT_ONCE, type ChartPeriod, chartsIn, chartsRequest } from '../../thirdparty/endpoints/issue-charts.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '../../thirdparty/map/frequency.ts';
import type { RemoteIssue } from '../tracker-reader.ts';
import { chartOf } from './remote/remote-issue.ts';
import { doWithout, timeOfReply, type SourceAccess } from './access/source-access.ts';

const WHAT = 'charts of errors';

/** Reads charts that have a route of their own, as on GlitchTip: of 24 hours and of 14 days. */
export class IssueCharts {
  readonly #access: SourceAccess;
  #isThere = true;

  constructor(access: SourceAccess) {
    this.#access = access;
  }

  /** Adds the charts to issues of one answer. */
  async addTo(issues: readonly RemoteIssue[], signal: AbortSignal): Promise<RemoteIssue[]> {
    const charted: RemoteIssue[] = [];
    for (let from = 0; from < issues.length; from += CHARTS_AT_ONCE) {
      const some = issues.slice(from, from + CHARTS_AT_ONCE);
      const ids = some.map(({ id }) => id);
      const hours = await this.#read(ids, '24h', 24, HOUR_SECONDS, signal);
      const days = await this.#read(ids, '14d', 30, DAY_SECONDS, signal);
      for (const issue of some) {
        charted.push({ ...issue, hours: hours.get(issue.id) ?? issue.hours, days: days.get(issue.id) ?? issue.days });
      }
    }
    return charted;
  }

  async #read(
    ids: readonly string[],
    period: ChartPeriod,
    buckets: number,
    seconds: number,
    signal: AbortSignal,
  ): Promise<Map<string, FrequencyPoint[]>> {
    if (!this.#isThere) return new Map();
    const access = this.#access;
    const reply = await access.asker.ask({ ...chartsRequest(access.organization, ids, period), signal });
    if (!reply.ok) {
      if (reply.status >= 500) access.cannot.add(`${WHAT}: the tracker fails with status ${reply.status}`);
      else doWithout(access, reply, WHAT, 'event:read');
      this.#isThere = false;
      return new Map();
    }
    const at = timeOfReply(access, reply);
    const charts = chartsIn(reply.body, period, seconds, at);
    return new Map([...charts].map(([id, points]) => [id, chartOf(points, buckets, seconds, at)]));
  }
}
