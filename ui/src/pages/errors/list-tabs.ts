import { cappedCount, MAX_COUNTED, wholeNumber } from '../../lib/numbers.ts';
import type { ListQuery } from './list-query.ts';

export type TabKey = 'unresolved' | 'for_review' | 'resolved' | 'ignored' | 'all';

/** Errors of each tab, and those that fit all filters; MAX_COUNTED means that there may be more. */
export type TabCounts = Readonly<Record<Exclude<TabKey, 'all'> | 'matching', number>>;

interface Tab {
  readonly key: TabKey;
  readonly label: string;
  readonly hint?: string;
  /** Part of the query that the tab sets. */
  readonly part: Pick<ListQuery, 'status' | 'for_review'>;
}

export const TABS: readonly Tab[] = [
  { key: 'unresolved', label: 'Unresolved', part: { status: 'unresolved', for_review: '' } },
  {
    key: 'for_review',
    label: 'For review',
    hint: 'New, regressed, escalating or no longer ignored within 7 days, and not looked at since',
    part: { status: 'unresolved', for_review: 'true' },
  },
  { key: 'resolved', label: 'Resolved', part: { status: 'resolved', for_review: '' } },
  { key: 'ignored', label: 'Ignored', part: { status: 'ignored', for_review: '' } },
  { key: 'all', label: 'All', part: { status: 'all', for_review: '' } },
];

/** Returns the tab of a query. */
export function tabOf({ status, for_review: review }: Pick<ListQuery, 'status' | 'for_review'>): TabKey {
  return review === 'true' ? 'for_review' : status;
}

/** Returns a count from four digits on for narrow screens: `10k+` for `10,000+`, `2.9k` for `2,997`; null for others. */
export function shortCount(count: string): string | null {
  const number = Number(count.replaceAll(/\D/g, ''));
  if (number < 1_000) return null;
  return `${Math.floor(number / 100) / 10}k${count.endsWith('+') ? '+' : ''}`;
}

/** Search that says which status errors have. The counts of the tabs leave that out. */
const SAYS_STATUS = /(?:^|\s)!?(?:is|status):/i;

/** Whether the search of a query says which status errors have. */
export function saysStatus({ search }: Pick<ListQuery, 'search'>): boolean {
  return SAYS_STATUS.test(search);
}

/** Returns the number of errors that fit a query as text; null when unknown. */
export function countOf(counts: TabCounts | null, query: ListQuery): string | null {
  return counts !== null && saysStatus(query) ? cappedCount(counts.matching) : tabCount(counts, tabOf(query));
}

/** Returns the count of a tab as text; null when unknown. All statuses together have none when one is capped. */
export function tabCount(counts: TabCounts | null, tab: TabKey): string | null {
  if (counts === null) return null;
  if (tab !== 'all') return cappedCount(counts[tab]);
  const { unresolved, resolved, ignored } = counts;
  if ([unresolved, resolved, ignored].some((count) => count >= MAX_COUNTED)) return `${wholeNumber(MAX_COUNTED)}+`;
  return wholeNumber(unresolved + resolved + ignored);
}
