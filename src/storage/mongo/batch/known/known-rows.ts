/** Names per generation: with 56 characters each some ten megabytes in total. */
const GENERATION = 65_536;

/**
 * Caches rows that are durably in the store, so that they need no look-up. Drops whole generations, older ones first. A
 * look-up takes 0.1 µs, against 0.2 µs in an LRU cache.
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

  /** Drops all rows after a failure, which may have rolled them back. */
  clear(): void {
    this.#young.clear();
    this.#old.clear();
  }
}
