import { randomBytes, randomUUID } from 'node:crypto';
import type { AlertDispatcher } from '../alerts/dispatcher.ts';
import { createFactSearch } from '../alerts/facts/find-facts.ts';
import type { PollingJob } from '../alerts/polling/polling-job.ts';
import type { AuditTrail } from '../audit/audit-trail.ts';
import { pruneUploads } from '../artifacts/uploads/prune-uploads.ts';
import type { UploadService } from '../artifacts/uploads/upload-service.ts';
import { HOUR_MS } from '../domain/durations.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { Store } from '../domain/ports/stores/store.ts';
import type { ArtifactLimits } from '../domain/ports/uploads.ts';
import { RANKS_EVERY_MS } from '../domain/search/error-query.ts';
import type { MoveIns } from '../import/move-in.ts';
import { rankChanged } from '../integrated/ranking/rank-changed.ts';
import type { StoreRetention } from '../integrated/retention/prune-store.ts';
import { RetentionJob } from '../integrated/retention/retention-job.ts';
import { Lease } from '../lib/lease.ts';
import type { Job } from '../observability/jobs.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';

const SECOND = 1000;
const MINUTE = 60_000;

/**
 * Returns the name of this process as owner of leases. A store that only one service uses (`shared` false) is its own
 * at once after a crash: each start has the same name.
 */
export function leaseOwner(shared: boolean): string {
  return shared ? randomUUID() : 'this service';
}

export interface StoreJobParts {
  readonly store: Store;
  /** Name of this process as owner of leases. */
  readonly owner: string;
  readonly version: string;
  readonly settings: StoreRetention;
  readonly artifacts: ArtifactLimits;
  readonly metrics: Pick<Metrics, 'uploadsKept' | 'uploadBytes'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Jobs on the store alone. They run from its opening until the journal is drained. */
export function storeJobs(parts: StoreJobParts): readonly Job[] {
  const { store, owner, version, settings, clock, logger } = parts;
  const gatewayId = randomBytes(16).toString('hex');
  const lease = new Lease({ store, name: 'retention', owner, ttlMs: 5 * MINUTE });
  const retention = new RetentionJob({ store, lease, settings, clock, logger });
  return [
    {
      // Announces this gateway to the others: ten times in the minute after which it counts as gone.
      name: 'heartbeat',
      intervalMs: 6 * SECOND,
      atOnce: true,
      run: () => store.announceGateway(gatewayId, version),
      // Waits for a running announcement first, which would bring the gateway back.
      end: () => store.retireGateway(gatewayId),
      stopMs: SECOND,
    },
    {
      name: 'retention',
      intervalMs: MINUTE,
      lease,
      run: (signal) => retention.run(signal),
      failure: 'removing old events was interrupted; it continues at the next run',
    },
    uploadJob(parts),
    {
      // Totals of merged errors after events of their members. Without changes a look into a small index.
      name: 'roll-up',
      intervalMs: SECOND,
      run: () => store.rollUpMerged(),
      failure: 'the totals of merged errors could not be updated; this is retried',
    },
    {
      // Makes errors unresolved that were ignored until a time. Without changes a look into a small index.
      name: 'mutes',
      intervalMs: 5 * SECOND,
      run: () => store.endMutes(clock.now()),
      failure: 'errors that were ignored until now stay so; this is retried',
    },
    {
      // The first run does not wait: after an upgrade no error has a rank. Early runs take 5 % of the time at most.
      name: 'ranks',
      intervalMs: RANKS_EVERY_MS,
      atOnce: true,
      rest: 19,
      run: () => rankChanged(store, () => clock.now()),
      failure: 'the order of errors could not be brought up to date; this is retried',
    },
  ];
}

function uploadJob({ store, owner, artifacts: limits, metrics, clock, logger }: StoreJobParts): Job {
  return {
    // The first run does not wait: it also measures what is kept.
    name: 'uploads',
    intervalMs: HOUR_MS,
    atOnce: true,
    // Extended at each run: one gateway does the work while it runs.
    lease: new Lease({ store, name: 'uploads', owner, ttlMs: 2 * HOUR_MS, extendMs: 0 }),
    async run(signal) {
      const pruned = await pruneUploads({ store, limits, clock, signal });
      if (signal.aborted) return;
      metrics.uploadsKept.set(pruned.keptUploads);
      metrics.uploadBytes.set(pruned.keptBytes);
      const { uploads, files } = pruned;
      if (uploads + files > 0) logger.info({ uploads, files }, 'old uploads of build tools were removed');
    },
    failure: 'removing old uploads was interrupted; it continues at the next run',
  };
}

export interface ServiceJobParts {
  readonly store: Store;
  readonly auditTrail: Pick<AuditTrail, 'writeLeftOut'>;
  /** True: several gateways may use the store. */
  readonly shared: boolean;
  readonly owner: string;
  readonly clock: Clock;
  readonly dispatcher: Pick<AlertDispatcher, 'run'>;
  readonly polling: Pick<PollingJob, 'run'>;
  readonly moveIns: Pick<MoveIns, 'continueStopped'>;
  readonly uploads: Pick<UploadService, 'resume'>;
}

/** Jobs that reach other systems. They run while requests are answered. */
export function serviceJobs(parts: ServiceJobParts): readonly Job[] {
  const { store, auditTrail, shared, owner, clock, dispatcher, polling, moveIns, uploads } = parts;
  const findFacts = createFactSearch(store);
  return [
    {
      // Takes the lease `alerts` when there is something to do.
      name: 'alerts',
      intervalMs: SECOND,
      run: () => dispatcher.run(),
      failure: 'alerts are held up; this is retried every second',
    },
    {
      name: 'alert facts',
      intervalMs: MINUTE,
      lease: shared ? new Lease({ store, name: 'alert-jobs', owner, ttlMs: 3 * MINUTE }) : null,
      run: () => findFacts(clock.now()),
      failure: 'errors that escalate are not searched for now; this is retried',
    },
    {
      // Takes the lease `alert-polling` when a project is polled. Each project has a time of its own.
      name: 'tracker polls',
      intervalMs: SECOND,
      run: () => polling.run(),
      failure: 'external trackers are not polled for alerts; retried',
    },
    {
      // Each import has a lease of its own. A store that is away is found again by a later run.
      name: 'imports',
      intervalMs: 20 * SECOND,
      run: (signal) => moveIns.continueStopped(signal),
    },
    {
      // Each upload has a lease of its own. Without pending ones a look into a small table.
      name: 'pending uploads',
      intervalMs: MINUTE,
      atOnce: true,
      run: (signal) => uploads.resume(signal),
      failure: 'uploads that were answered cannot be opened for now; this is retried',
    },
    {
      // Floods of refused requests get one event with their number.
      name: 'refusals',
      intervalMs: MINUTE,
      run: () => auditTrail.writeLeftOut(),
      failure: 'the number of refused requests cannot be written to the audit log for now; this is retried',
      end: () => auditTrail.writeLeftOut(),
      stopMs: SECOND,
    },
  ];
}
