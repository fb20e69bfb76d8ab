import { logFields } from '../../domain/app-error.ts';
import type { ErrorStore } from '../../domain/ports/error-store.ts';
import type { Logger } from '../../observability/logger.ts';

export interface RollUpJobOptions {
  readonly store: Pick<ErrorStore, 'rollUpMerged'>;
  readonly logger: Pick<Logger, 'warn'>;
  /** Milliseconds between the end of one run and the next; default a second. */
  readonly intervalMs?: number;
}

const INTERVAL_MS = 1000;

/**
 * Keeps what merged errors show up to date with the events of their members. Every gateway does it: a run that
 * finds nothing to do is one look into a small index.
 */
export class RollUpJob {
  readonly #options: RollUpJobOptions;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;
  #failed = false;
  #stopped = false;

  constructor(options: RollUpJobOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#stopped || this.#timer !== null) return;
    this.#timer = setTimeout(() => void this.#turn(), this.#options.intervalMs ?? INTERVAL_MS).unref();
  }

  /** Never throws: what is not up to date now will be next time. A store that is away is told about once. */
  run(): Promise<void> {
    this.#running ??= this.#rollUp().finally(() => (this.#running = null));
    return this.#running;
  }

  /** Ends after the run in hand. */
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

  async #rollUp(): Promise<void> {
    const { store, logger } = this.#options;
    try {
      await store.rollUpMerged();
      this.#failed = false;
    } catch (error) {
      if (!this.#failed)
        logger.warn(logFields(error), 'what merged errors show was not brought up to date; it is tried again');
      this.#failed = true;
    }
  }
}
