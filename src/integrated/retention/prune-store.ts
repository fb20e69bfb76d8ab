import type { Clock } from '../../domain/ports/clock.ts';
import type { MaintenanceStore, PruneLimits, PruneProgress } from '../../domain/ports/stores/maintenance-store.ts';
import { pruneLimits, type RetentionSettings } from './prune-limits.ts';
import type { SizeBound } from './size-bound.ts';

/** Milliseconds after which data that grows fast is looked at again. */
export const BOUNDS_AFTER_MS = 60_000;
/** Events of the last minute stay, even above the size bound, so that a test event can be seen. */
const NEVER_YOUNGER_MS = 60_000;

export interface StoreRetention extends RetentionSettings {
  /** Maximum bytes of data; 0: no bound. */
  readonly maxBytes: number;
}

export interface Pruned {
  readonly events: number;
  readonly keys: number;
}

export interface PruneOptions {
  readonly store: Pick<MaintenanceStore, 'prune' | 'size'>;
  readonly settings: RetentionSettings;
  /**
   * Size bound of the settings; one for all runs of a process, because it tracks removals that the size does not show
   * yet.
   */
  readonly bound: SizeBound;
  readonly clock: Clock;
  /**
   * True: removes everything above the limits. False: only data that grows fast, by the bounds per error and in bytes.
   */
  readonly everything: boolean;
  /** Called and awaited after every slice, with the totals so far; false ends the run early. */
  onSlice(soFar: Pruned): boolean | Promise<boolean>;
}

export interface PruneResult extends Pruned {
  /** Bytes by which the store exceeds its bound although no removable payload is left; else 0. */
  readonly tooLargeBy: number;
}

/**
 * Removes data above the settings in short transactions. Counts of errors never change. The bounds per error and in
 * bytes come first. Removal by age may take longer than a minute: the bounds are applied again every minute, and both
 * take turns by slices, so that neither holds up the other.
 */
export async function pruneStore(options: PruneOptions): Promise<PruneResult> {
  const { clock, everything } = options;
  const run = new PruneRun(options);
  let bounds: Slices | null = run.applyBounds();
  let expired: Slices | null = everything ? run.removeExpired() : null;
  let boundedAt = clock.now();
  while (!run.isStopped() && (bounds !== null || expired !== null)) {
    if (bounds !== null && (await isEnd(bounds))) {
      bounds = null;
      boundedAt = clock.now();
    }
    if (!run.isStopped() && expired !== null && (await isEnd(expired))) expired = null;
    // A clock that was set back makes the bounds due earlier, not later.
    const isDue = Math.abs(clock.now() - boundedAt) >= BOUNDS_AFTER_MS;
    if (bounds === null && expired !== null && isDue) bounds = run.applyBounds();
  }
  return run.result;
}

/** Work that yields after each of its slices. */
type Slices = AsyncGenerator<void, void>;

async function isEnd(slices: Slices): Promise<boolean> {
  return (await slices.next()).done === true;
}

/** Both kinds of work of a run, and its totals. */
class PruneRun {
  readonly #options: PruneOptions;
  #events = 0;
  #keys = 0;
  /** Bytes above the size bound that are still to be removed. */
  #surplus = 0;
  #tooLargeBy = 0;
  #stopped = false;

  constructor(options: PruneOptions) {
    this.#options = options;
  }

  /** True after `onSlice` has ended the run early. */
  isStopped(): boolean {
    return this.#stopped;
  }

  get result(): PruneResult {
    return { events: this.#events, keys: this.#keys, tooLargeBy: this.#tooLargeBy };
  }

  /** Removes payloads above the bound per error, then the oldest ones of a store above its size bound. */
  async *applyBounds(): Slices {
    const { store, settings, bound, clock } = this.#options;
    const limits = { ...pruneLimits(settings, clock.now()), receivedBefore: null, payloadsOnly: true };
    while (!(await this.#slice(limits)).done) yield;
    const measure = async (): Promise<boolean> => {
      const size = await store.size();
      this.#surplus = size === null ? 0 : bound.surplus(size, clock.now());
      return size?.falls === 'at_once';
    };
    const fallsAtOnce = await measure();
    this.#tooLargeBy = 0;
    // Removes the oldest events first, because that is easy to understand.
    const oldest = { ...limits, receivedBefore: clock.now() - NEVER_YOUNGER_MS, maxEventsPerError: null };
    while (!this.#stopped && this.#surplus > 0) {
      const { events, done } = await this.#slice(oldest);
      // A slice may pass a page of events without a payload.
      if (events === 0 && done) {
        this.#tooLargeBy = this.#surplus;
        return;
      }
      if (fallsAtOnce) await measure();
      yield;
    }
  }

  /** Removes everything by age, and packs payloads that came alone. The bound per error is left to `applyBounds`. */
  async *removeExpired(): Slices {
    const { settings, clock } = this.#options;
    const limits = { ...pruneLimits(settings, clock.now()), maxEventsPerError: null };
    while (!(await this.#slice(limits)).done) yield;
  }

  async #slice(limits: PruneLimits): Promise<PruneProgress> {
    const { store, bound, clock } = this.#options;
    const progress = await store.prune(limits);
    bound.removed(progress.bytes, clock.now());
    this.#surplus -= progress.bytes;
    this.#events += progress.events;
    this.#keys += progress.keys;
    this.#stopped = !(await this.#options.onSlice({ events: this.#events, keys: this.#keys }));
    return progress;
  }
}
