import { logFields } from '../../domain/app-error.ts';
import type { ErrorStore } from '../../domain/ports/error-store.ts';
import { Periodic } from '../../lib/periodic.ts';
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
  readonly #job: Periodic;
  #failed = false;

  constructor(options: RollUpJobOptions) {
    this.#options = options;
    this.#job = new Periodic({ intervalMs: options.intervalMs ?? INTERVAL_MS, run: () => this.#rollUp() });
  }

  start(): void {
    this.#job.start();
  }

  /** Never throws: what is not up to date now will be next time. A store that is away is told about once. */
  run(): Promise<void> {
    return this.#job.run();
  }

  /** Ends after the run in hand. */
  stop(): Promise<void> {
    return this.#job.stop();
  }

  async #rollUp(): Promise<void> {
    const { store, logger } = this.#options;
    try {
      await store.rollUpMerged();
      this.#failed = false;
    } catch (error) {
      if (!this.#failed)
        logger.warn(logFields(error), 'the totals of merged errors could not be updated; this is retried');
      this.#failed = true;
    }
  }
}
