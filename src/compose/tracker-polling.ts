import { JobLease, leaseOwner } from '../alerts/lease.ts';
import { PollingJob } from '../alerts/polling/polling-job.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { Store } from '../domain/ports/stores/store.ts';
import type { Closers } from '../lib/closers.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { createPollMetrics } from '../observability/poll-metrics.ts';
import type { TrackerSide } from './trackers.ts';

export interface TrackerPollingParts {
  readonly store: Store;
  /** True: several gateways may use the store. */
  readonly shared: boolean;
  /** Resolves when the store can be used. */
  readonly opened: Promise<void>;
  readonly trackers: Pick<TrackerSide, 'backends'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'registry'>;
}

/** Starts the polls of external trackers for alerts once the store is open. */
export function startTrackerPolling(parts: TrackerPollingParts, closers: Closers): void {
  const { store, shared, opened, trackers, clock, logger, metrics } = parts;
  const { polls } = createPollMetrics(metrics.registry);
  const steady = (): number => performance.now();
  const job = new PollingJob({
    store,
    backendFor: (settings) => trackers.backends.directFor(settings),
    lease: new JobLease({ store, name: 'alert-polling', owner: leaseOwner(shared), steady }),
    now: () => clock.now(),
    steady,
    random: Math.random,
    logger,
    observe: (outcome) => polls.inc({ outcome }),
  });
  closers.add(() => job.stop());
  void opened.then(
    () => job.start(),
    () => undefined,
  );
}
