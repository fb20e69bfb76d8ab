import { encodeCursor, type Cursor } from './cursor.ts';
import type { Page } from '../../domain/page.ts';

/**
 * Cuts a page out of a list that is sorted in memory. Its cursors are places in the list, so a row that appears before
 * a place repeats the last row of the page before.
 */
export function sortedPage<T>(sorted: readonly T[], cursor: Cursor | null, limit: number, hash: string): Page<T> {
  const from = Math.max(0, cursor?.value ?? 0);
  const at = (value: number) => encodeCursor({ value, id: 0, direction: 'next', inclusive: false }, hash);
  return {
    items: sorted.slice(from, from + limit),
    previous: from > 0 ? at(Math.max(0, from - limit)) : null,
    next: from + limit < sorted.length ? at(from + limit) : null,
  };
}
