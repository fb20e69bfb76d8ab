import type { ReleaseDetail } from '../../api/releases-api.ts';
import type { ChartSeries } from '../../lib/chart-series.ts';

type Hour = ReleaseDetail['history'][number];

const KINDS = [
  { member: 'healthy', name: 'Healthy', tone: 'plain' },
  { member: 'errored', name: 'With errors', tone: 'muted' },
  { member: 'unhandled', name: 'Unhandled', tone: 'info' },
  { member: 'abnormal', name: 'Abnormal', tone: 'warning' },
  { member: 'crashed', name: 'Crashed', tone: 'danger' },
] as const;

/** Adds the hours of a release up to one series per end of sessions, with a count per bucket. */
export function healthSeries(history: readonly Hour[], times: readonly number[], step: number): ChartSeries[] {
  const first = times[0] ?? 0;
  return KINDS.map(({ member, name, tone }) => {
    const counts = times.map(() => 0);
    for (const { hour, sessions } of history) {
      const at = Math.floor((Date.parse(hour) - first) / step);
      if (counts[at] !== undefined) counts[at] += sessions[member];
    }
    return { name, tone, counts };
  });
}
