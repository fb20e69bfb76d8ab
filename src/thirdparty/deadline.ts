/** One end for a question: its time is up, or whoever asked has gone. Nothing of it outlives `done`. */
export class Deadline {
  readonly signal: AbortSignal;
  readonly #end = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;
  readonly #leave: () => void;
  #late = false;

  /** `limitMs`: milliseconds from now. */
  constructor(limitMs: number, caller: AbortSignal | undefined) {
    this.signal = this.#end.signal;
    this.#caller = caller;
    this.#leave = () => this.#end.abort();
    this.#timer = setTimeout(() => {
      this.#late = true;
      this.#end.abort();
    }, limitMs).unref();
    if (caller?.aborted === true) this.#end.abort();
    else caller?.addEventListener('abort', this.#leave, { once: true });
  }

  /** Whether the time was up before anything else happened. */
  get late(): boolean {
    return this.#late;
  }

  /** Lets go of timer and caller: a signal that waits for its time would keep the whole question in memory. */
  done(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#leave);
  }
}
