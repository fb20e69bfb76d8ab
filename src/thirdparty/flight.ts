import { callerGone } from './tracker-errors.ts';

/** One question under way, and those who wait for its answer. It ends early once all of them have gone. */
export class Flight<T> {
  /** What everybody gets who stays. */
  readonly answer: Promise<T>;
  readonly #end = new AbortController();
  #waiting = 0;
  #kept = false;

  /** Asks at once; `signal` is aborted when nobody wants the answer any more. */
  constructor(ask: (signal: AbortSignal) => Promise<T>) {
    this.answer = ask(this.#end.signal);
    // Somebody who was served an old copy does not wait for it.
    this.answer.catch(() => undefined);
  }

  /** True once everybody has gone: whoever comes now has to ask anew. */
  get abandoned(): boolean {
    return this.#end.signal.aborted;
  }

  /** From now on the question is asked to its end, whoever goes. */
  keep(): void {
    this.#kept = true;
  }

  /** The answer; rejects as soon as the signal is aborted. Without a signal the waiting never ends early. */
  wait(signal?: AbortSignal): Promise<T> {
    if (signal === undefined) {
      this.keep();
      return this.answer;
    }
    this.#waiting += 1;
    return new Promise<T>((resolve, reject) => {
      const leave = (): void => {
        this.#waiting -= 1;
        if (this.#waiting === 0 && !this.#kept) this.#end.abort();
        reject(callerGone());
      };
      if (signal.aborted) {
        leave();
        return;
      }
      signal.addEventListener('abort', leave, { once: true });
      const stay = (): void => signal.removeEventListener('abort', leave);
      void this.answer.finally(stay).then(resolve, reject);
    });
  }
}
