import { callerGone } from './tracker-errors.ts';

/** Pending request shared by several readers. Aborts when all of them have left. */
class SharedRequest<T> {
  /** Result for all remaining readers. */
  readonly answer: Promise<T>;
  readonly #end = new AbortController();
  #waiting = 0;
  #kept = false;

  /** Starts at once; `signal` aborts when all readers have left. */
  constructor(ask: (signal: AbortSignal) => Promise<T>) {
    this.answer = ask(this.#end.signal);
    // Readers of an old copy do not wait for it.
    this.answer.catch(() => undefined);
  }

  /** True after all readers have left: later readers need a new request. */
  get abandoned(): boolean {
    return this.#end.signal.aborted;
  }

  /** Completes the request even when all readers leave. */
  keep(): void {
    this.#kept = true;
  }

  /** Resolves to the answer; rejects when the signal aborts. Without a signal the wait has no early end. */
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

/** Pending requests by name, each shared by its readers. */
export class SharedRequests<T> {
  readonly #pending = new Map<string, SharedRequest<T>>();

  /** Joins the pending request of this name, or starts one. An abandoned one is not joined. */
  join(name: string, ask: (signal: AbortSignal) => Promise<T>): SharedRequest<T> {
    const pending = this.#pending.get(name);
    if (pending !== undefined && !pending.abandoned) return pending;
    const request = new SharedRequest(ask);
    this.#pending.set(name, request);
    const landed = (): void => {
      if (this.#pending.get(name) === request) this.#pending.delete(name);
    };
    request.answer.then(landed, landed);
    return request;
  }
}
