import type { Clock } from '../../domain/ports/clock.ts';
import type { TriageStore } from '../../domain/ports/stores/triage-store.ts';
import type { Periodic } from '../../lib/periodic.ts';
import type { Logger } from '../../observability/logger.ts';
import { createRetriedJob } from '../../observability/retried-job.ts';

export interface MuteJobOptions {
  readonly store: Pick<TriageStore, 'endMutes'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  /** Milliseconds between the end of one run and the next; default five seconds. */
  readonly intervalMs?: number;
}

const INTERVAL_MS = 5000;

/**
 * Creates the job that makes errors unresolved which were ignored until a time. Every gateway runs it: a run without
 * changes is one look into a small index. Logs an unavailable store once; the next run goes on.
 */
export function createMuteJob({ store, clock, logger, intervalMs = INTERVAL_MS }: MuteJobOptions): Periodic {
  return createRetriedJob({
    intervalMs,
    async run() {
      await store.endMutes(clock.now());
    },
    logger,
    failure: 'errors that were ignored until now stay so; this is retried',
  });
}
