import { BackOff } from '../../../lib/back-off.ts';
import type { BatchManifest } from '../../intake/journal/manifest-log.ts';
import type { BatchContent } from './batch-reader.ts';
import type { BatchSource } from './batch-source.ts';
import { shrinkManifest } from './recover-unreadable.ts';

export interface RefusedBatchesOptions {
  readonly source: Pick<BatchSource, 'setAsideRefused'>;
  /** Records the new content of the batch durably. */
  readonly write: (manifest: BatchManifest) => Promise<void>;
  readonly random: () => number;
}

/** Milliseconds to wait before the same batch is given to the store again. */
export interface RefusalPause {
  readonly kind: 'pause';
  readonly pauseMs: number;
  readonly error: unknown;
  /** Number of pauses before this one since the store last accepted an event. */
  readonly before: number;
}

/** Result for a refused batch. `cut`: it has only `records` now. `set_aside`: it lacks the refused record now. */
export type Refusal =
  { readonly kind: 'cut'; readonly records: number } | { readonly kind: 'set_aside' } | RefusalPause;

/** Refusals of a single record before it is set aside: one unknown error is no proof. */
const REFUSALS = 3;

/**
 * Finds the records for which the store refuses a batch without naming them. Halves the batch, durably and under the
 * same batch id (nothing of it is confirmed), until one record is left. Sets that one aside after `REFUSALS` refusals.
 * The rest belongs to later batches.
 */
export class RefusedBatches {
  readonly #options: RefusedBatchesOptions;
  readonly #backOff: BackOff;
  /** Refusals of the batch since its last change. */
  #refusals = 0;

  constructor(options: RefusedBatchesOptions) {
    this.#options = options;
    this.#backOff = new BackOff({ firstMs: 250, maxMs: 60_000, random: options.random });
  }

  /** Resets the count: another batch has been cut. */
  begin(): void {
    this.#refusals = 0;
  }

  /** Shortens the next pause: the store has accepted an event. */
  stored(): void {
    this.#backOff.reset();
  }

  /** Handles one refusal. Throws `error` when the store refuses even an empty batch: the fault is in the store. */
  async add(manifest: BatchManifest, content: BatchContent, error: unknown): Promise<Refusal> {
    const { source, write } = this.#options;
    const live = [...content.offsets.keys()].filter((index) => !content.excluded.includes(index));
    this.#refusals += 1;
    const keep = live[Math.ceil(live.length / 2)];
    const end = keep === undefined ? undefined : content.offsets[keep];
    if (live.length > 1 && keep !== undefined && end !== undefined) {
      await write(shrinkManifest(manifest, keep, end, content.excluded));
      this.#refusals = 0;
      return { kind: 'cut', records: keep };
    }
    const only = live[0];
    const offset = only === undefined ? undefined : content.offsets[only];
    if (only === undefined || offset === undefined) throw error;
    if (this.#refusals >= REFUSALS) {
      await source.setAsideRefused(manifest, offset, error);
      await write({ ...manifest, excluded: [...content.excluded, only].sort((a, b) => a - b) });
      this.#refusals = 0;
      return { kind: 'set_aside' };
    }
    const before = this.#backOff.attempts;
    return { kind: 'pause', pauseMs: this.#backOff.next(), error, before };
  }
}
