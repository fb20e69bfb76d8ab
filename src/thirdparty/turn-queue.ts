interface Waiting {
  readonly go: () => void;
  readonly fail: (error: Error) => void;
}

/** One at a time, in the order in which they came. */
export class TurnQueue {
  readonly #waiting: Waiting[] = [];
  #taken = false;

  /** Resolves with the function that gives the turn on; rejects with the signal's reason when that is aborted first. */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#taken) await this.#wait(signal);
    this.#taken = true;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#next();
    };
  }

  /** Ends the waiting of everybody who waits now. */
  fail(error: Error): void {
    for (const { fail } of this.#waiting.splice(0)) fail(error);
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal.reason as Error);
      };
      const waiting: Waiting = {
        go: () => {
          signal.removeEventListener('abort', stop);
          resolve();
        },
        fail: (error) => {
          signal.removeEventListener('abort', stop);
          reject(error);
        },
      };
      signal.addEventListener('abort', stop, { once: true });
      this.#waiting.push(waiting);
    });
  }

  #next(): void {
    // The turn goes from one to the next without becoming free in between.
    const next = this.#waiting.shift();
    if (next === undefined) this.#taken = false;
    else next.go();
  }
}
