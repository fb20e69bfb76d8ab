/**
 * Counts the body bytes that all requests together hold in memory. Small bodies are not charged, so they are never
 * refused; large ones are refused while the budget is used up.
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

  /** Takes `bytes`. Returns false, and takes nothing, when they would exceed the budget. */
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
