/** Releases what a start has opened, the last thing first. */
export class Closers {
  readonly #closers: (() => Promise<void> | void)[] = [];
  #closing: Promise<void> | null = null;

  /** Adds what releases the thing that was just opened. */
  add(close: () => Promise<void> | void): void {
    this.#closers.push(close);
  }

  /**
   * Calls all, one after the other, also when some of them fail. Throws the first error when all are done. Further
   * calls join the first one.
   */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    const errors: unknown[] = [];
    for (let close = this.#closers.pop(); close !== undefined; close = this.#closers.pop()) {
      try {
        await close();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
