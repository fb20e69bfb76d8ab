import type { MaintenanceStore, PruneLimits, PruneProgress } from '../../domain/ports/maintenance-store.ts';
import { pruneLimits, type RetentionSettings } from './prune-limits.ts';
import type { SizeBound } from './size-bound.ts';

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
  /** Milliseconds since the epoch. */
  readonly now: number;
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

/** Removes data above the settings in short transactions. Counts of errors never change. */
export async function pruneStore(options: PruneOptions): Promise<PruneResult> {
  const { store, bound, now, everything } = options;
  const total = { events: 0, keys: 0 };

  async function slice(limits: PruneLimits): Promise<PruneProgress & { readonly goOn: boolean }> {
    const progress = await store.prune(limits);
    bound.removed(progress.bytes, now);
    total.events += progress.events;
    total.keys += progress.keys;
    return { ...progress, goOn: await options.onSlice({ ...total }) };
  }

  const all = pruneLimits(options.settings, now);
  const limits = everything ? all : { ...all, receivedBefore: null, payloadsOnly: true };
  for (let done = false; !done;) {
    const progress = await slice(limits);
    if (!progress.goOn) return { ...total, tooLargeBy: 0 };
    done = progress.done;
  }
  let size = await store.size();
  let surplus = size === null ? 0 : bound.surplus(size, now);
  // A store above its size bound loses its oldest events first, because removal by age is easy to understand.
  const oldest = { ...all, receivedBefore: now - NEVER_YOUNGER_MS, maxEventsPerError: null, payloadsOnly: true };
  while (size !== null && surplus > 0) {
    const { events, bytes, done, goOn } = await slice(oldest);
    if (!goOn) break;
    // A slice may pass a page of events without a payload.
    if (events === 0 && done) return { ...total, tooLargeBy: surplus };
    surplus -= bytes;
    if (size.falls === 'at_once') {
      size = await store.size();
      surplus = size === null ? 0 : bound.surplus(size, now);
    }
  }
  return { ...total, tooLargeBy: 0 };
}
