/** Lets only so many requests run at once per host; the others wait in turn. */
export class HostSlots {
  readonly #max: number;
  readonly #hosts = new Map<string, { running: number; readonly waiting: (() => void)[] }>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Resolves with the function that gives the slot back; rejects with the signal's reason when that is aborted first. */
  async take(host: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const state = this.#hosts.get(host) ?? { running: 0, waiting: [] };
    this.#hosts.set(host, state);
    if (state.running < this.#max) {
      state.running += 1;
    } else {
      await new Promise<void>((resolve, reject) => {
        const go = (): void => {
          signal.removeEventListener('abort', stop);
          resolve();
        };
        const stop = (): void => {
          state.waiting.splice(state.waiting.indexOf(go), 1);
          reject(signal.reason as Error);
        };
        signal.addEventListener('abort', stop, { once: true });
        state.waiting.push(go);
      });
    }
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#giveBack(host, state);
    };
  }

  /** Running and waiting requests of the host. */
  load(host: string): { running: number; waiting: number } {
    const state = this.#hosts.get(host);
    return { running: state?.running ?? 0, waiting: state?.waiting.length ?? 0 };
  }

  #giveBack(host: string, state: { running: number; readonly waiting: (() => void)[] }): void {
    const next = state.waiting.shift();
    // The slot goes from one to the next without becoming free in between.
    if (next !== undefined) {
      next();
      return;
    }
    state.running -= 1;
    if (state.running === 0) this.#hosts.delete(host);
  }
}
