import type { ErrorStore } from '../../domain/ports/stores/error-store.ts';
import type { Periodic } from '../../lib/periodic.ts';
import type { Logger } from '../../observability/logger.ts';
import { createRetriedJob } from '../../observability/retried-job.ts';

export interface RollUpJobOptions {
  readonly store: Pick<ErrorStore, 'rollUpMerged'>;
  readonly logger: Pick<Logger, 'warn'>;
  /** Milliseconds between the end of one run and the next; default a second. */
  readonly intervalMs?: number;
}

const INTERVAL_MS = 1000;

/**
 * Creates the job that updates the displayed counts of merged errors after events of their members. Every gateway runs
 * it: a run without changes is one look into a small index. Logs an unavailable store once; the next run goes on.
 */
export function createRollUpJob({ store, logger, intervalMs = INTERVAL_MS }: RollUpJobOptions): Periodic {
  return createRetriedJob({
    intervalMs,
    async run() {
      await store.rollUpMerged();
    },
    logger,
    failure: 'the totals of merged errors could not be updated; this is retried',
  });
}
