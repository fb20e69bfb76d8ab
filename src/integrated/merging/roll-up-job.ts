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
 * Updates the displayed counts of merged errors after events of their members. Every gateway runs it: a run without
 * changes is one look into a small index.
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

  /** Runs once. Never throws: the next run repeats failed updates. Logs an unavailable store once. */
  run(): Promise<void> {
    return this.#job.run();
  }

  /** Stops after the running run. */
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
