import { PollingJob } from '../alerts/polling/polling-job.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { Store } from '../domain/ports/stores/store.ts';
import { Lease } from '../lib/lease.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { createPollMetrics } from '../observability/poll-metrics.ts';
import type { TrackerSide } from './trackers.ts';

export interface TrackerPollingParts {
  readonly store: Store;
  /** Name of this process as owner of leases. */
  readonly owner: string;
  readonly trackers: Pick<TrackerSide, 'backends'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'registry'>;
}

/** Builds the polls of external trackers for alerts. */
export function createTrackerPolling(parts: TrackerPollingParts): PollingJob {
  const { store, owner, trackers, clock, logger, metrics } = parts;
  const { polls } = createPollMetrics(metrics.registry);
  return new PollingJob({
    store,
    backendFor: (settings) => trackers.backends.directFor(settings),
    lease: new Lease({ store, name: 'alert-polling', owner }),
    now: () => clock.now(),
    steady: () => performance.now(),
    random: Math.random,
    logger,
    observe: (outcome) => polls.inc({ outcome }),
  });
}
