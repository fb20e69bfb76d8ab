import { logFields } from '../../domain/app-error.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { MaintenanceStore } from '../../domain/ports/stores/maintenance-store.ts';
import { Periodic } from '../../lib/periodic.ts';
import type { Logger } from '../../observability/logger.ts';
import { BOUNDS_AFTER_MS, pruneStore, type StoreRetention } from './prune-store.ts';
import { SizeBound } from './size-bound.ts';

export interface RetentionJobOptions {
  readonly store: Pick<MaintenanceStore, 'prune' | 'size' | 'acquireLease' | 'releaseLease'>;
  /** Name of this process: one process at a time removes data of a shared store. */
  readonly owner: string;
  readonly settings: StoreRetention;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Milliseconds between two runs; default a minute. */
  readonly intervalMs?: number;
  /** Waits between two slices, so that the digest gets its turn; replaced in tests. */
  readonly pause?: () => Promise<void>;
}

/** Milliseconds between two runs that also remove data by age. */
const EVERYTHING_AFTER_MS = 3_600_000;
const PAUSE_MS = 50;
const LEASE = 'retention';
/** Milliseconds of the lease, longer than any slice. After it another process continues an aborted run. */
const LEASE_MS = 5 * 60_000;
/** Milliseconds after which the lease is renewed. */
const RENEW_MS = 60_000;
function shortPause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS).unref());
}

/**
 * Removes data above the retention settings in short slices: every minute data that grows fast, every hour the rest.
 * An hourly run may take longer than a minute, and gives way to the work of the minute between its slices.
 */
export class RetentionJob {
  readonly #options: RetentionJobOptions;
  readonly #job: Periodic;
  #stopped = false;
  #everythingAt: number;
  #tooLarge = false;
  readonly #bound: SizeBound;

  constructor(options: RetentionJobOptions) {
    this.#options = options;
    this.#bound = new SizeBound(options.settings.maxBytes);
    this.#everythingAt = options.clock.now() + EVERYTHING_AFTER_MS;
    this.#job = new Periodic({
      intervalMs: options.intervalMs ?? BOUNDS_AFTER_MS,
      run: () => this.#prune(),
      onError: (error) =>
        options.logger.warn(logFields(error), 'removing old events was interrupted; it continues at the next run'),
    });
  }

  /** Starts the job. The first run follows after one interval, to keep the start fast. */
  start(): void {
    this.#job.start();
  }

  /** Runs once completely, or joins the running run. Never throws: the next run repeats failed removals. */
  run(): Promise<void> {
    return this.#job.run();
  }

  /** Stops after the running slice. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#job.stop();
  }

  async #prune(): Promise<void> {
    const { store, owner } = this.#options;
    if (!(await store.acquireLease(LEASE, owner, LEASE_MS))) return;
    try {
      await this.#pruneAlone();
    } finally {
      await store.releaseLease(LEASE, owner);
    }
  }

  async #pruneAlone(): Promise<void> {
    const { settings, store, owner, clock, logger, pause = shortPause } = this.#options;
    let renewedAt = clock.now();
    const onSlice = async (): Promise<boolean> => {
      if (this.#stopped) return false;
      await pause();
      if (clock.now() - renewedAt >= RENEW_MS) {
        renewedAt = clock.now();
        // Another process may have taken the lease while this one was paused.
        if (!(await store.acquireLease(LEASE, owner, LEASE_MS))) return false;
      }
      // May have changed during the pause, which type analysis does not see.
      return !(this.#stopped as boolean);
    };
    const now = clock.now();
    const everything = this.#isEverythingDue(now);
    const removed = await pruneStore({ store, settings, bound: this.#bound, clock, everything, onSlice });
    if (everything && !this.#stopped) this.#everythingAt = now + EVERYTHING_AFTER_MS;
    if (removed.events > 0) logger.info({ events: removed.events }, 'old events were removed; counts stay');
    this.#logSize(removed.tooLargeBy);
  }

  /** Returns true when a full run is due. A clock that was set back makes it due earlier, not later. */
  #isEverythingDue(now: number): boolean {
    return now >= this.#everythingAt || now < this.#everythingAt - EVERYTHING_AFTER_MS;
  }

  /** Logs the excess size once, until the store was small enough again. */
  #logSize(tooLargeBy: number): void {
    if (tooLargeBy > 0 && !this.#tooLarge) {
      this.#options.logger.warn(
        { bytes: tooLargeBy },
        'the store is larger than ERRGATE_STORE_MAX_BYTES although all older events were removed: the rest are counts, users and keys; raise the limit, or delete projects',
      );
    }
    this.#tooLarge = tooLargeBy > 0;
  }
}
