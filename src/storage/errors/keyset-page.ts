import type { Page } from '../../domain/page.ts';
import { encodeCursor, type Cursor, type Place } from './cursor.ts';

/** Rows of a page, cut to its size, and the places of its neighbours. */
export interface CutPage<T> {
  /** Rows in the list's order. */
  readonly items: readonly T[];
  /** Cursor of the next page in the direction of reading; null at the end. */
  readonly ahead: Cursor | null;
  /**
   * Cursor of the page before in the direction of reading; callers must check that it has rows. Null on a first page.
   */
  readonly behind: Cursor | null;
}

/**
 * Cuts the rows of a list sorted by (value, id) descending to a page. `rows` are those beyond the cursor in its
 * direction, nearest first, up to one more than `limit`. Rows that move between two requests appear at their new place;
 * others are neither doubled nor skipped.
 */
export function cutPage<T>(
  rows: readonly T[],
  placeOf: (row: T) => Place,
  cursor: Cursor | null,
  limit: number,
): CutPage<T> {
  const more = rows.length > limit;
  const items = rows.slice(0, limit);
  const backwards = cursor?.direction === 'previous';
  if (backwards) {
    items.reverse();
  }
  const [top, bottom] = [items[0], items.at(-1)];
  const edge = backwards ? top : bottom;
  const ahead: Cursor | null =
    more && edge !== undefined
      ? { ...placeOf(edge), direction: backwards ? 'previous' : 'next', inclusive: false }
      : null;
  if (cursor === null) {
    return { items, ahead, behind: null };
  }
  const direction = backwards ? 'next' : 'previous';
  const back = backwards ? bottom : top;
  // Behind an empty page, the row at the cursor itself is included.
  const behind: Cursor =
    back === undefined
      ? { value: cursor.value, id: cursor.id, direction, inclusive: true }
      : { ...placeOf(back), direction, inclusive: false };
  return { items, ahead, behind };
}

/** Builds the page with its cursors; `hasBehind`: rows exist at `behind`. */
export function finishPage<T>({ items, ahead, behind }: CutPage<T>, hasBehind: boolean, hash: string): Page<T> {
  const neighbours = [ahead, hasBehind ? behind : null];
  const textOf = (direction: Cursor['direction']) => {
    const cursor = neighbours.find((each) => each?.direction === direction) ?? null;
    return cursor === null ? null : encodeCursor(cursor, hash);
  };
  return { items, previous: textOf('previous'), next: textOf('next') };
}
