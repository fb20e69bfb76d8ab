import { logFields } from '../domain/app-error.ts';
import { Periodic, type PeriodicOptions } from '../lib/periodic.ts';
import type { Logger } from '../observability/logger.ts';

export interface RetriedJobOptions extends Pick<PeriodicOptions, 'intervalMs' | 'run'> {
  readonly logger: Pick<Logger, 'warn'>;
  /** Message of a failed run, logged once until a run succeeds. */
  readonly failure: string;
}

/** Creates a job whose next run repeats what failed. */
export function createRetriedJob({ intervalMs, run, logger, failure }: RetriedJobOptions): Periodic {
  let failed = false;
  return new Periodic({
    intervalMs,
    async run() {
      await run();
      failed = false;
    },
    onError(error) {
      if (!failed) logger.warn(logFields(error), failure);
      failed = true;
    },
  });
}
