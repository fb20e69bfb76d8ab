/**
 * Counts the body bytes that all requests together hold in memory. A sender of small bodies is never
 * turned away by it; large ones are, while the others together have used it up.
 */
export class ByteBudget {
  readonly #maxBytes: number;
  #held = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get held(): number {
    return this.#held;
  }

  /** False when `bytes` more would exceed the budget; nothing is taken then. */
  take(bytes: number): boolean {
    if (this.#held + bytes > this.#maxBytes) {
      return false;
    }
    this.#held += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#held -= bytes;
  }
}
