import type { Clock } from '../../domain/ports/clock.ts';
import { MAX_RANKED, type ListStore } from '../../domain/ports/list-store.ts';
import { RANKS_EVERY_MS } from '../../domain/tracked-error.ts';
import type { Periodic } from '../../lib/periodic.ts';
import type { Logger } from '../../observability/logger.ts';
import { createRetriedJob } from '../../observability/retried-job.ts';

export interface RankJobOptions {
  readonly store: Pick<ListStore, 'rankErrors'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  /** Milliseconds between the end of one run and the next; default RANKS_EVERY_MS. */
  readonly intervalMs?: number;
}

/** Maximum calls of one run, so that a run ends also while more errors change than are ranked. */
const MAX_CALLS = 100;

/**
 * Creates the job that keeps the order `matters` and the totals of ranges. Every gateway runs it: a run without changes
 * is a look into small indexes. Logs an unavailable store once; the next run goes on.
 */
export function createRankJob({ store, clock, logger, intervalMs = RANKS_EVERY_MS }: RankJobOptions): Periodic {
  return createRetriedJob({
    intervalMs,
    async run() {
      for (let calls = 0; calls < MAX_CALLS; calls += 1) {
        if ((await store.rankErrors(clock.now())) < MAX_RANKED) break;
      }
    },
    logger,
    failure: 'the order of errors could not be brought up to date; this is retried',
  });
}
