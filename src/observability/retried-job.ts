import { Periodic, type PeriodicOptions } from '../lib/periodic.ts';
import { FailureLog } from './failure-log.ts';
import type { Logger } from './logger.ts';

export interface RetriedJobOptions extends Pick<PeriodicOptions, 'intervalMs' | 'run'> {
  readonly logger: Pick<Logger, 'warn'>;
  /** Message of a failed run, logged once until a run succeeds. */
  readonly failure: string;
}

/** Creates a job whose next run repeats what failed. */
export function createRetriedJob({ intervalMs, run, logger, failure }: RetriedJobOptions): Periodic {
  const log = new FailureLog(logger, failure);
  return new Periodic({
    intervalMs,
    async run() {
      await run();
      log.succeeded();
    },
    onError: (error) => log.failed(error),
  });
}
