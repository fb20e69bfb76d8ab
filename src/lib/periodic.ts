export interface PeriodicOptions {
  /** Milliseconds between the end of a run and the start of the next one. */
  readonly intervalMs: number;
  /** The signal aborts when the job is stopped. */
  readonly run: (signal: AbortSignal) => unknown;
  /** Called with the error of a run; the next run follows anyway. Default: ignores it. */
  readonly onError?: (error: unknown) => void;
  /** Early runs wait for this multiple of the time that the last run took; default 0. See `soon`. */
  readonly rest?: number;
}

/** Repeats a job until it is stopped. Runs never overlap, and the timer does not keep the process alive. */
export class Periodic {
  readonly #options: PeriodicOptions;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;
  /** Time of the next run, and time before which no early run begins; milliseconds of the process. */
  #dueAt = Infinity;
  #restsUntil = 0;
  /** True: an early run was asked for during a run, which may have passed its cause. */
  #again = false;

  constructor(options: PeriodicOptions) {
    this.#options = options;
  }

  /** Starts the first run after one interval. Ignored when called again or after `stop`. */
  start(): void {
    if (this.#timer === null) this.#runAfter(this.#options.intervalMs);
  }

  /** Runs immediately, or joins the current run; never rejects. */
  run(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
      if (this.#again) this.soon();
    });
    return this.#running;
  }

  /**
   * Runs as soon as the last run is long enough ago, by `rest`, and within the interval. Calls before that run are
   * answered by one run. Ignored after `stop`.
   */
  soon(): void {
    if (this.#running !== null) {
      this.#again = true;
      return;
    }
    const now = performance.now();
    const waitMs = Math.min(Math.max(0, this.#restsUntil - now), this.#options.intervalMs);
    if (now + waitMs < this.#dueAt) this.#runAfter(waitMs);
  }

  /** Resolves when the current run has ended; no scheduled run follows. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer ?? undefined);
    await this.#running;
  }

  #runAfter(ms: number): void {
    if (this.#stopping.signal.aborted) return;
    clearTimeout(this.#timer ?? undefined);
    this.#dueAt = performance.now() + ms;
    this.#timer = setTimeout(() => void this.#turn(), ms).unref();
  }

  async #turn(): Promise<void> {
    this.#dueAt = Infinity;
    await this.run();
    if (this.#dueAt === Infinity) this.#runAfter(this.#options.intervalMs);
  }

  async #run(): Promise<void> {
    const begin = performance.now();
    this.#again = false;
    try {
      await this.#options.run(this.#stopping.signal);
    } catch (error) {
      this.#options.onError?.(error);
    }
    const end = performance.now();
    this.#restsUntil = end + (this.#options.rest ?? 0) * (end - begin);
  }
}
