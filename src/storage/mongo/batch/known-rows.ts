/** Names kept per generation: with 56 characters each some ten megabytes in all. */
const GENERATION = 65_536;

/**
 * Remembers which rows are in the store for good, so that they need not be looked up. It forgets in
 * generations, older ones first. A look for each event takes 0.1 µs so, and 0.2 µs in an LRU cache.
 */
export class KnownRows {
  #young = new Set<string>();
  #old = new Set<string>();

  has(name: string): boolean {
    if (this.#young.has(name)) {
      return true;
    }
    const known = this.#old.has(name);
    if (known) {
      this.add(name);
    }
    return known;
  }

  add(name: string): void {
    if (this.#young.size >= GENERATION) {
      this.#old = this.#young;
      this.#young = new Set();
    }
    this.#young.add(name);
  }

  /** After a failure nothing is sure: rows may have been rolled back. */
  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }
}
