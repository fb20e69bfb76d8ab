import type { Page } from '../../../domain/page.ts';
import type { Cursor, Place } from '../../errors/cursor.ts';
import { cutPage, finishPage } from '../../errors/keyset-page.ts';

/** Fetches rows beyond the cursor in its direction, nearest first, at most `limit`; from the start without a cursor. */
export type FetchRows<T> = (cursor: Cursor | null, limit: number) => Promise<T[]>;

/** Returns one page of a list sorted by (value, id) descending. */
export async function mongoPage<T>(
  fetch: FetchRows<T>,
  placeOf: (row: T) => Place,
  cursor: Cursor | null,
  limit: number,
  hash: string,
): Promise<Page<T>> {
  const cut = cutPage(await fetch(cursor, limit + 1), placeOf, cursor, limit);
  return finishPage(cut, cut.behind !== null && (await fetch(cut.behind, 1)).length > 0, hash);
}

/**
 * Returns the filter for rows beyond a cursor. It has a range of the sort's index, and a condition for rows at its
 * edge. `id` is the cursor's in the form of documents.
 */
export function beyond(cursor: Cursor | null, value: string, idMember: string, id: unknown): Record<string, unknown> {
  if (cursor === null) return {};
  const { strict, orEqual } = signsOf(cursor);
  return {
    [value]: { [orEqual]: cursor.value },
    $or: [{ [value]: { [strict]: cursor.value } }, { [idMember]: { [cursor.inclusive ? orEqual : strict]: id } }],
  };
}

/**
 * Returns filters that together match the rows from a cursor up to a place, inclusive. Each is one continuous range of
 * the sort's index. So servers that sort after reading read only these rows, even if many have the same value.
 */
export function between(
  cursor: Cursor | null,
  place: Place,
  value: string,
  idMember: string,
): Record<string, unknown>[] {
  const { strict, upTo, beforeIt } = signsOf(cursor);
  const atEnd = { [upTo]: place.id };
  if (cursor === null) {
    return [{ [value]: { [beforeIt]: place.value } }, { [value]: place.value, [idMember]: atEnd }];
  }
  const fromIt = { [cursor.inclusive ? signsOf(cursor).orEqual : strict]: cursor.id };
  if (cursor.value === place.value) return [{ [value]: place.value, [idMember]: { ...fromIt, ...atEnd } }];
  return [
    { [value]: cursor.value, [idMember]: fromIt },
    { [value]: { [strict]: cursor.value, [beforeIt]: place.value } },
    { [value]: place.value, [idMember]: atEnd },
  ];
}

/**
 * Returns comparisons with a place: behind it in the cursor's direction, or before it, each with or without the place.
 */
function signsOf(cursor: Cursor | null) {
  return cursor?.direction === 'previous'
    ? ({ strict: '$gt', orEqual: '$gte', beforeIt: '$lt', upTo: '$lte' } as const)
    : ({ strict: '$lt', orEqual: '$lte', beforeIt: '$gt', upTo: '$gte' } as const);
}

/** Returns the order of reading rows beyond a cursor. */
export function orderOf(cursor: Cursor | null): 1 | -1 {
  return cursor?.direction === 'previous' ? 1 : -1;
}
