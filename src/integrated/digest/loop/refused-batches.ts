import { BackOff } from '../../../lib/back-off.ts';
import type { BatchManifest } from '../../intake/journal/manifest-log.ts';
import type { BatchContent } from './batch-reader.ts';
import type { BatchSource } from './batch-source.ts';
import { shrinkManifest } from './settle-unreadable.ts';

export interface RefusedBatchesOptions {
  readonly source: Pick<BatchSource, 'setAsideRefused'>;
  /** Makes durable what the batch consists of from now on. */
  readonly write: (manifest: BatchManifest) => Promise<void>;
  readonly random: () => number;
}

/** Milliseconds to wait before the same batch is given to the store again. */
export interface RefusalPause {
  readonly kind: 'pause';
  readonly pauseMs: number;
  readonly error: unknown;
  /** Pauses before this one since the store last took an event. */
  readonly before: number;
}

/** What became of a refused batch. `cut`: it has only `records` now. `set_aside`: it lacks the refused record now. */
export type Refusal =
  { readonly kind: 'cut'; readonly records: number } | { readonly kind: 'set_aside' } | RefusalPause;

/** Times a store must refuse a record alone before it is set aside: one unknown error proves nothing. */
const REFUSALS = 3;

/**
 * Finds the records for which the store refuses a batch without saying which they are. The batch is cut in half,
 * durably and under the same mark (nothing of it is confirmed), until one record is left; that one is set aside after
 * `REFUSALS` refusals. The rest is cut into later batches.
 */
export class RefusedBatches {
  readonly #options: RefusedBatchesOptions;
  readonly #backOff: BackOff;
  /** Refusals of the batch since it was changed last. */
  #refusals = 0;

  constructor(options: RefusedBatchesOptions) {
    this.#options = options;
    this.#backOff = new BackOff({ firstMs: 250, maxMs: 60_000, random: options.random });
  }

  /** Forgets the refusals of the batch before: another one has been cut. */
  begin(): void {
    this.#refusals = 0;
  }

  /** Shortens the next pause: the store has taken an event. */
  stored(): void {
    this.#backOff.reset();
  }

  /** Handles one refusal. Throws `error` where the store refuses even an empty batch: the fault is the store's. */
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
