/** Names kept per generation: with 56 characters each some ten megabytes in all. */
const GENERATION = 65_536;

/**
 * Remembers which rows are in the store for good, so that they need not be looked up. It forgets in
 * generations: what was not asked for lately goes first.
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
