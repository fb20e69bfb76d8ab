import type { Page } from '../../../domain/tracked-error.ts';
import type { Cursor, Place } from '../../cursor.ts';
import { cutPage, finishPage } from '../../keyset-page.ts';

/** Rows beyond the cursor in its direction, nearest first, at most `limit`; from the start without a cursor. */
export type FetchRows<T> = (cursor: Cursor | null, limit: number) => Promise<T[]>;

/** One page of a list sorted by (value, id) descending. */
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
 * The filter for rows beyond a cursor: a range of the sort's index, and what tells the rows of its edge
 * apart. `id` is the cursor's as it stands in documents.
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
 * Filters that together match the rows from a cursor up to a place, which included. Each is one unbroken range of the
 * sort's index, so that servers that sort after reading read these rows and no others, also where many
 * rows have the same value.
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

/** How rows compare with a place: further on in the cursor's direction, before it, each with or without the place itself. */
function signsOf(cursor: Cursor | null) {
  return cursor?.direction === 'previous'
    ? ({ strict: '$gt', orEqual: '$gte', beforeIt: '$lt', upTo: '$lte' } as const)
    : ({ strict: '$lt', orEqual: '$lte', beforeIt: '$gt', upTo: '$gte' } as const);
}

/** The order in which rows beyond a cursor are read. */
export function orderOf(cursor: Cursor | null): 1 | -1 {
  return cursor?.direction === 'previous' ? 1 : -1;
}
