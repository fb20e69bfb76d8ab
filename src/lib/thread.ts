import type { Worker } from 'node:worker_threads';
import { BackOff, sleep } from './back-off.ts';
import { within } from './within.ts';

/** Last message to a worker, which answers it by its end. */
export interface StopRequest {
  readonly kind: 'stop';
}

export interface ThreadOptions<Notice> {
  /** Starts a worker. `restarted`: in place of one that ended unexpectedly. */
  readonly spawn: (restarted: boolean) => Worker;
  readonly onNotice: (notice: Notice) => void;
  /** Called at every end of a worker, also after `stop`. */
  readonly onEnd?: () => void;
  /**
   * Called when a worker ended unexpectedly. It is replaced after `restartMs`, a delay that doubles with each end;
   * returning false leaves it so.
   */
  readonly onDeath: (error: Error, restartMs: number) => boolean;
  /** Milliseconds of the first delay. */
  readonly firstRestartMs: number;
  readonly maxRestartMs: number;
}

/** Worker thread of the service: messages to and from it, its replacement when it ends, and its stop. */
export class Thread<Request, Notice> {
  readonly #options: ThreadOptions<Notice>;
  readonly #restarts: BackOff;
  readonly #stopping = new AbortController();
  #worker: Worker | null = null;
  #ended: Promise<void> = Promise.resolve();

  constructor(options: ThreadOptions<Notice>) {
    this.#options = options;
    const { firstRestartMs: firstMs, maxRestartMs: maxMs } = options;
    this.#restarts = new BackOff({ firstMs, maxMs, random: Math.random });
  }

  /** False before `start`, and between the end of a worker and its replacement. */
  get isLive(): boolean {
    return this.#worker !== null;
  }

  /** Starts the worker. Call it once. */
  start(): void {
    this.#spawn(false);
  }

  /** Sends a message; dropped while no worker runs. */
  say(request: Request | StopRequest): void {
    this.#worker?.postMessage(request);
  }

  /** Reports that the worker does its work: the next restart has the first delay again. */
  works(): void {
    this.#restarts.reset();
  }

  /** Asks the worker to end and waits for it; terminates it after `limitMs`. Default: no limit. */
  async stop(limitMs?: number): Promise<void> {
    this.#stopping.abort();
    this.say({ kind: 'stop' });
    if (limitMs === undefined) return this.#ended;
    await within(
      limitMs,
      () => this.#ended,
      () => this.#worker?.terminate(),
    );
  }

  #spawn(restarted: boolean): void {
    const { signal } = this.#stopping;
    if (signal.aborted) return;
    const { spawn, onNotice, onEnd, onDeath } = this.#options;
    const worker = spawn(restarted);
    this.#worker = worker;
    worker.on('message', onNotice);
    this.#ended = new Promise((resolve) => {
      let failure: Error | null = null;
      worker.on('error', (error: Error) => (failure = error));
      worker.on('exit', (code) => {
        this.#worker = null;
        onEnd?.();
        resolve();
        if (signal.aborted) return;
        const restartMs = this.#restarts.next();
        if (!onDeath(failure ?? new Error(`the thread ended with code ${code}`), restartMs)) return;
        void sleep(restartMs, signal).then(() => this.#spawn(true));
      });
    });
  }
}
