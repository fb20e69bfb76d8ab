import type { Page } from '../../../domain/page.ts';
import type { Cursor } from '../../errors/cursor.ts';
import { cutPage, finishPage } from '../../errors/keyset-page.ts';
import type { Row } from './driver.ts';

/** Fetches rows beyond the cursor in its direction, nearest first, at most `limit`; from the start without a cursor. */
export type FetchRows = (cursor: Cursor | null, limit: number) => Row[];

/** Returns one page of a list sorted by (`valueColumn`, id) descending. */
export function sqlitePage(
  fetch: FetchRows,
  valueColumn: string,
  cursor: Cursor | null,
  limit: number,
  hash: string,
): Page<Row> {
  const placeOf = (row: Row) => ({ value: row[valueColumn] as number, id: row.id as number });
  const cut = cutPage(fetch(cursor, limit + 1), placeOf, cursor, limit);
  return finishPage(cut, cut.behind !== null && fetch(cut.behind, 1).length > 0, hash);
}

/** Returns the comparison and the order for rows beyond a cursor. */
export function beyond(cursor: Cursor): { compare: string; order: 'ASC' | 'DESC' } {
  const equal = cursor.inclusive ? '=' : '';
  return cursor.direction === 'next' ? { compare: `<${equal}`, order: 'DESC' } : { compare: `>${equal}`, order: 'ASC' };
}
