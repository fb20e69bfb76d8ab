import { LRUCache } from 'lru-cache';
import type { Place } from '../cursor.ts';

/** Pages remembered per process; beyond, the one met longest ago goes. Some hundred bytes each. */
const MAX_PAGES = 2000;

/**
 * The place at which each page ended when it was last read. A list is mostly asked again soon, and then
 * nearly always ends there or before: the look-up needs to read no further, which spares servers that sort
 * after reading from reading everything. What it finds is only used when it fills the page, so a bound that
 * has become wrong costs one more look-up and nothing else.
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
