/** Releases resources in reverse order of their acquisition. */
export class Closers {
  readonly #closers: (() => Promise<void> | void)[] = [];
  #closing: Promise<void> | null = null;

  /** Registers the release of a resource that was just acquired. */
  add(close: () => Promise<void> | void): void {
    this.#closers.push(close);
  }

  /** Calls all in sequence, even if some fail, then throws the first error. Further calls join the first one. */
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
