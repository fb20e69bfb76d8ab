import { wholeNumber } from '../../lib/numbers.ts';
import type { ListQuery } from './list-query.ts';

/**
 * Says which errors a page shows: `1–20 of 53`. Without a page number, as in links of former versions, only how many:
 * `20 of 53`. Empty without rows. `total`: null when unknown.
 */
export function shownText(
  { cursor, page, per_page: size }: Pick<ListQuery, 'cursor' | 'page' | 'per_page'>,
  rows: number,
  total: string | null,
): string {
  if (rows === 0) return '';
  const of = total === null ? '' : ` of ${total}`;
  const number = cursor === '' ? 1 : Number(page);
  if (number === 0) return `${rows}${of}`;
  const first = (number - 1) * Number(size) + 1;
  return `${wholeNumber(first)}–${wholeNumber(first + rows - 1)}${of}`;
}

/** Number of the page after, or with -1 before, that of a query; empty when unknown. */
export function pageAfter({ cursor, page }: Pick<ListQuery, 'cursor' | 'page'>, step: 1 | -1): string {
  const number = cursor === '' ? 1 : Number(page);
  return number === 0 ? '' : String(Math.max(1, number + step));
}
