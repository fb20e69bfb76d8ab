export interface PeriodicOptions {
  /** Milliseconds between the end of a run and the start of the next one. */
  readonly intervalMs: number;
  readonly run: () => Promise<void> | void;
  /** Called with the error of a run; the next run follows anyway. Default: ignores it. */
  readonly onError?: (error: unknown) => void;
}

/** Repeats a job until it is stopped. Runs never overlap, and the timer does not keep the process alive. */
export class Periodic {
  readonly #options: PeriodicOptions;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;
  #stopped = false;

  constructor(options: PeriodicOptions) {
    this.#options = options;
  }

  /** Starts the first run after one interval. Ignored when called again or after `stop`. */
  start(): void {
    if (this.#stopped) return;
    this.#timer ??= setTimeout(() => void this.#turn(), this.#options.intervalMs).unref();
  }

  /** Runs immediately, or joins the current run; never rejects. */
  run(): Promise<void> {
    this.#running ??= this.#run().finally(() => (this.#running = null));
    return this.#running;
  }

  /** Resolves when the current run has ended; no scheduled run follows. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer ?? undefined);
    await this.#running;
  }

  async #turn(): Promise<void> {
    await this.run();
    this.#timer = null;
    this.start();
  }

  async #run(): Promise<void> {
    try {
      await this.#options.run();
    } catch (error) {
      this.#options.onError?.(error);
    }
  }
}
