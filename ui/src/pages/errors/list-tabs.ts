import { wholeNumber } from '../../lib/numbers.ts';
import type { ListQuery } from './list-query.ts';

export type TabKey = 'unresolved' | 'for_review' | 'resolved' | 'ignored' | 'all';

/** Errors of each tab; MAX_COUNTED means that there may be more. */
export type TabCounts = Readonly<Record<Exclude<TabKey, 'all'>, number>>;

/** Where the service stops to count. */
export const MAX_COUNTED = 1_000;

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

/** Formats a count that may have stopped at the maximum: `53`, `1,000+`. */
export function cappedCount(count: number): string {
  return count >= MAX_COUNTED ? `${wholeNumber(MAX_COUNTED)}+` : wholeNumber(count);
}

/** Returns a count of four digits for narrow screens: `1k+` for `1,000+`, `2.9k` for `2,997`; null for shorter ones. */
export function shortCount(count: string): string | null {
  const number = Number(count.replaceAll(/\D/g, ''));
  if (number < MAX_COUNTED) return null;
  return `${Math.floor(number / 100) / 10}k${count.endsWith('+') ? '+' : ''}`;
}

/** Returns the count of a tab as text; null when unknown. All statuses together have none when one is capped. */
export function tabCount(counts: TabCounts | null, tab: TabKey): string | null {
  if (counts === null) return null;
  if (tab !== 'all') return cappedCount(counts[tab]);
  const { unresolved, resolved, ignored } = counts;
  if ([unresolved, resolved, ignored].some((count) => count >= MAX_COUNTED)) return `${wholeNumber(MAX_COUNTED)}+`;
  return wholeNumber(unresolved + resolved + ignored);
}
