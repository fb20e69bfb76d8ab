import type { TagTrend } from '../../api/tag-trend-api.ts';
import { counted } from '../../lib/numbers.ts';
import { visibleExcerpt } from '../../lib/visible-text.ts';

/** Characters of a release. */
const MAX_RELEASE = 60;

const time = new Intl.DateTimeFormat('en', {
  ...{ year: 'numeric', month: 'short', day: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
});

const shown = (at: string) => time.format(new Date(at));

/** Says which events a trend is about: `Among the newest 1,000 stored events, …`. */
export function spanText(trend: Pick<TagTrend, 'events' | 'complete' | 'first_event' | 'last_event'>): string {
  const { events, complete, first_event: first, last_event: last } = trend;
  const which = `Among ${complete ? 'all' : 'the newest'} ${counted(events, 'stored event')}`;
  const span = first === null || last === null ? '' : `, from ${shown(first)} to ${shown(last)}`;
  return `${which}${span}.${complete ? '' : ' Older ones are left out.'}`;
}

/** Says what a bar is: `A bar is 6 hours.` */
export function bucketText(hours: number): string {
  const days = hours / 24;
  return `A bar is ${Number.isInteger(days) ? counted(days, 'day') : counted(hours, 'hour')}.`;
}

/** Says since when a value was seen: `First …, in shop@1.2; last …`. */
export function seenText(value: Omit<TagTrend['values'][number], 'value' | 'frequency'>): string {
  const { count, first_seen: first, last_seen: last, first_release: release } = value;
  const within = release === null ? '' : `, in ${visibleExcerpt(release, MAX_RELEASE)}`;
  return count === 1 ? `Once, ${shown(first)}${within}` : `First ${shown(first)}${within}; last ${shown(last)}`;
}
