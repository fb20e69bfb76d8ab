import type { Clock } from '../../domain/ports/clock.ts';
import type { MaintenanceStore } from '../../domain/ports/stores/maintenance-store.ts';
import type { Lease } from '../../lib/lease.ts';
import type { Logger } from '../../observability/logger.ts';
import { pruneStore, type StoreRetention } from './prune-store.ts';
import { SizeBound } from './size-bound.ts';

export interface RetentionJobOptions {
  readonly store: Pick<MaintenanceStore, 'prune' | 'size'>;
  /** Held at the begin of each run: one process at a time removes data of a shared store. Longer than any slice. */
  readonly lease: Pick<Lease, 'hold'>;
  readonly settings: StoreRetention;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Waits between two slices, so that the digest gets its turn; replaced in tests. */
  readonly pause?: () => Promise<void>;
}

/** Milliseconds between two runs that also remove data by age. */
const EVERYTHING_AFTER_MS = 3_600_000;
const PAUSE_MS = 50;
function shortPause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS).unref());
}

/**
 * Removes data above the retention settings in short slices: every minute data that grows fast, every hour the rest.
 * An hourly run may take longer than a minute, and gives way to the work of the minute between its slices.
 */
export class RetentionJob {
  readonly #options: RetentionJobOptions;
  #everythingAt: number;
  #tooLarge = false;
  readonly #bound: SizeBound;

  constructor(options: RetentionJobOptions) {
    this.#options = options;
    this.#bound = new SizeBound(options.settings.maxBytes);
    this.#everythingAt = options.clock.now() + EVERYTHING_AFTER_MS;
  }

  /**
   * Runs once completely; ends after the running slice when the signal aborts or another process has the lease. Throws
   * when the store fails: the next run repeats failed removals.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { settings, store, lease, clock, logger, pause = shortPause } = this.#options;
    const onSlice = async (): Promise<boolean> => {
      if (signal.aborted) return false;
      await pause();
      // Another process may have taken the lease while this one was paused.
      return (await lease.hold()) !== 'not_held' && !signal.aborted;
    };
    const now = clock.now();
    const everything = this.#isEverythingDue(now);
    const removed = await pruneStore({ store, settings, bound: this.#bound, clock, everything, onSlice });
    if (everything && !signal.aborted) this.#everythingAt = now + EVERYTHING_AFTER_MS;
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
