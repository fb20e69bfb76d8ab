import { LRUCache } from 'lru-cache';
import type { Place } from '../../errors/cursor.ts';

/** Maximum cached pages per process, some hundred bytes each. Evicts the oldest. */
const MAX_PAGES = 2000;

/**
 * Caches the place where each page ended when last read. A repeated request of a list nearly always ends there or
 * before, so the query reads no further. Servers that sort after reading then do not read everything. A bound is used
 * only when it fills the page, so an outdated one costs one more query.
 */
export class PageBounds {
  readonly #bounds = new LRUCache<string, Place>({ max: MAX_PAGES });

  get(page: string): Place | undefined {
    return this.#bounds.peek(page);
  }

  set(page: string, bound: Place): void {
    this.#bounds.set(page, bound);
  }

  delete(page: string): void {
    this.#bounds.delete(page);
  }
}

/**
 * Reads the first rows of a list: up to the place where they ended last time, or from the start when these are too few.
 * `read`: returns at most `limit` rows in the list's order, up to a place or, with null, without an end.
 */
export async function readBounded<T>(
  bounds: PageBounds,
  page: string,
  limit: number,
  read: (bound: Place | null) => Promise<T[]>,
  placeOf: (row: T) => Place,
): Promise<T[]> {
  const bound = bounds.get(page);
  const near = bound === undefined ? [] : await read(bound);
  const rows = near.length === limit ? near : await read(null);
  const last = rows.length === limit ? rows.at(-1) : undefined;
  if (last === undefined) bounds.delete(page);
  else bounds.set(page, placeOf(last));
  return rows;
}
