interface Waiting {
  readonly go: () => void;
  readonly fail: (error: Error) => void;
}

/** Lets only so many run at once; the others wait in the order in which they came. */
export class Slots {
  readonly #max: number;
  readonly #waiting: Waiting[] = [];
  #running = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves with the function that gives the slot back; rejects with the signal's reason when that is aborted first. */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#running < this.#max) this.#running += 1;
    else await this.#wait(signal);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#giveOn();
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

  #giveOn(): void {
    // The slot goes from one to the next without becoming free in between.
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next.go();
  }
}
