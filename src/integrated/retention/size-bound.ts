import type { StoreSize } from '../../domain/ports/stores/maintenance-store.ts';

/**
 * Milliseconds after which the size of a server shows a removal. Twice the five minutes for which MongoDB keeps old
 * states, so that a checkpoint has followed them.
 */
const SHOWN_AFTER_MS = 10 * 60_000;

/**
 * Computes the excess size of a store. Subtracts removals that do not show yet, so that a store with delayed figures
 * does not lose more than the excess.
 */
export class SizeBound {
  readonly #maxBytes: number;
  #removed: { readonly at: number; readonly bytes: number }[] = [];
  /** Greatest known size of a store whose size never falls. */
  #greatest: number | null = null;

  /** Creates the bound; `maxBytes` 0: none. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Returns the bytes to remove; 0 or less: none. `now`: milliseconds since the epoch. */
  surplus({ used, falls }: StoreSize, now: number): number {
    if (this.#maxBytes === 0) return 0;
    if (falls === 'never') return this.#growth(used);
    if (falls === 'at_once') return used - this.#maxBytes;
    // A clock that was set back must not extend the effect of a removal.
    this.#removed = this.#removed.filter(({ at }) => Math.abs(now - at) < SHOWN_AFTER_MS);
    return used - this.#removed.reduce((sum, { bytes }) => sum + bytes, 0) - this.#maxBytes;
  }

  /** Records the number of removed payload bytes. */
  removed(bytes: number, now: number): void {
    if (bytes > 0) this.#removed.push({ at: now, bytes });
  }

  /** Returns the excess of files that do not shrink: only their growth counts, and once. */
  #growth(used: number): number {
    const greatest = this.#greatest ?? Math.max(used, this.#maxBytes);
    this.#greatest = Math.max(greatest, used);
    return used - greatest;
  }
}
