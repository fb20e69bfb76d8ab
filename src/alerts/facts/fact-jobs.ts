import type { Clock } from '../../domain/ports/clock.ts';
import type { MaintenanceStore } from '../../domain/ports/stores/maintenance-store.ts';
import type { Logger } from '../../observability/logger.ts';
import { createRetriedJob } from '../../observability/retried-job.ts';
import { SpikeSearch } from './spike-search.ts';
import { ThresholdWatch, type ThresholdStore } from './threshold-watch.ts';

export interface FactJobsOptions {
  readonly store: ThresholdStore &
    ConstructorParameters<typeof SpikeSearch>[0] &
    Pick<MaintenanceStore, 'acquireLease' | 'releaseLease'>;
  /** True: several gateways may use the store; one of them does the work. */
  readonly shared: boolean;
  /** Name of this process. */
  readonly owner: string;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  /** Milliseconds between two runs; default a minute. */
  readonly intervalMs?: number;
}

const INTERVAL_MS = 60_000;
const LEASE = 'alert-jobs';
/** Milliseconds of the lease: the owner keeps it from run to run. */
const LEASE_MS = 3 * INTERVAL_MS;

/** Creates the job that finds what no single event shows: spikes, and thresholds of rules. */
export function createFactJobs({ store, shared, owner, clock, logger, intervalMs = INTERVAL_MS }: FactJobsOptions) {
  const spikes = new SpikeSearch(store);
  const thresholds = new ThresholdWatch(store);
  const job = createRetriedJob({
    intervalMs,
    logger,
    failure: 'errors that escalate are not searched for now; this is retried',
    async run() {
      if (shared && !(await store.acquireLease(LEASE, owner, LEASE_MS))) return;
      const now = clock.now();
      await spikes.run(now);
      await thresholds.run(now);
    },
  });
  return {
    start: (): void => job.start(),
    run: (): Promise<void> => job.run(),
    async stop(): Promise<void> {
      await job.stop();
      if (shared) await store.releaseLease(LEASE, owner).catch(() => undefined);
    },
  };
}
