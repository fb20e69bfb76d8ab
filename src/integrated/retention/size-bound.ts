import type { StoreSize } from '../../domain/ports/maintenance-store.ts';

/**
 * After this long a server has told what a removal left free: twice the five minutes for which MongoDB keeps old
 * states, so that a checkpoint has come after them. Milliseconds.
 */
const SHOWN_AFTER_MS = 10 * 60_000;

/**
 * By how much a store is too large. What was removed and does not show yet is taken off, so that a store whose
 * figures lag behind does not lose more than the surplus.
 */
export class SizeBound {
  readonly #maxBytes: number;
  #removed: { readonly at: number; readonly bytes: number }[] = [];
  /** The greatest size seen of a store whose size never falls. */
  #greatest: number | null = null;

  /** `maxBytes`: 0 is no bound. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes that are to go; 0 or less: none. `now`: milliseconds since the epoch. */
  surplus({ used, falls }: StoreSize, now: number): number {
    if (this.#maxBytes === 0) return 0;
    if (falls === 'never') return this.#growth(used);
    if (falls === 'at_once') return used - this.#maxBytes;
    // A clock that was set back must not make a removal count for longer.
    this.#removed = this.#removed.filter(({ at }) => Math.abs(now - at) < SHOWN_AFTER_MS);
    return used - this.#removed.reduce((sum, { bytes }) => sum + bytes, 0) - this.#maxBytes;
  }

  /** Records the number of removed payload bytes. */
  removed(bytes: number, now: number): void {
    if (bytes > 0) this.#removed.push({ at: now, bytes });
  }

  /** Files that do not shrink may not grow: only what they grew by is too much, and it is made up for once. */
  #growth(used: number): number {
    const greatest = this.#greatest ?? Math.max(used, this.#maxBytes);
    this.#greatest = Math.max(greatest, used);
    return used - greatest;
  }
}
