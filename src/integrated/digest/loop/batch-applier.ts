import { performance } from 'node:perf_hooks';
import { AppError } from '../../../domain/app-error.ts';
import type { BatchResult } from '../../../domain/ingest/digest.ts';
import { ManifestLog, openingManifest } from '../../intake/journal/manifest-log.ts';
import type { BatchManifest } from '../../intake/journal/manifest-log.ts';
import type { JournalPosition } from '../../intake/journal/segment.ts';
import type { BatchContent } from './batch-reader.ts';
import { BatchSource } from './batch-source.ts';
import type { CutTerms } from './batch-source.ts';
import type { DigestLoopOptions, DigestProgress } from './digest-loop-options.ts';
import { ReadingAhead } from './reading-ahead.ts';
import { recoverManifest } from './recover-manifest.ts';
import { RefusedBatches } from './refused-batches.ts';
import type { RefusalPause } from './refused-batches.ts';
import { recoverUnreadable } from './recover-unreadable.ts';

const NOTHING = { stored: 0, duplicates: 0, newErrors: 0 };

/**
 * Cuts batches and gives each to the store exactly once, one at a time. The manifest of a batch is durable before the
 * store receives it. The next batch is cut only after the store has confirmed it. So the newest manifest alone tells
 * where a restart continues.
 */
export class BatchApplier {
  readonly #options: DigestLoopOptions;
  readonly #log: ManifestLog;
  readonly #source: BatchSource;
  readonly #ahead: ReadingAhead;
  readonly #refused: RefusedBatches;
  /** Position up to which everything is durable and may be digested. */
  synced: JournalPosition = { segment: 0, offset: 0 };
  #manifest: BatchManifest | null = null;
  #open = false;
  /**
   * Content of the open batch; cleared after a failure, because its payloads may have been transferred to the store.
   */
  #fresh: BatchContent | null = null;
  /** Start of the batch, by the performance clock. */
  #started = 0;
  /** Maximum records of the next batch; lower for a time after a refusal. */
  #limit: number;
  #removed: number[] = [];
  #reported: JournalPosition | null = null;

  constructor(options: DigestLoopOptions) {
    this.#options = options;
    this.#log = new ManifestLog(options.files, options.dir);
    this.#source = new BatchSource(options);
    this.#ahead = new ReadingAhead(this.#source);
    this.#refused = new RefusedBatches({
      source: this.#source,
      write: (manifest) => this.#write(manifest),
      random: options.random ?? Math.random,
    });
    this.#limit = options.maxRecords;
  }

  /** Position up to which everything is in the store or set aside. */
  get position(): JournalPosition {
    return this.#source.position;
  }

  /** True while a recorded batch waits for the store's confirmation. */
  get isOpen(): boolean {
    return this.#open;
  }

  /** The newest durable manifest; null until `recover`. */
  get manifest(): BatchManifest | null {
    return this.#manifest;
  }

  /** Finds the position where the former process ended. Call it first. */
  async recover(): Promise<BatchManifest> {
    const { manifest, open, removed } = await recoverManifest(this.#options, this.#log);
    this.#open = open;
    this.#source.position = { segment: manifest.segment, offset: manifest.from };
    this.#removed.push(...removed);
    this.#manifest = manifest;
    return manifest;
  }

  /** Cuts the batch behind `manifest`, which must be confirmed. Returns false when nothing is left before `synced`. */
  async cut(manifest: BatchManifest, synced: JournalPosition): Promise<boolean> {
    this.#started = performance.now();
    const terms = this.#terms(manifest, synced, this.#limit);
    const batch =
      this.#ahead.take(this.#source.position, terms) ??
      (await this.#source.cut({
        ...terms,
        beforeRemove: (position) => this.#close(position),
        onRemoved: (segment) => this.#removed.push(segment),
      }));
    if (batch === null) return false;
    const { segment, from, hash, content } = batch;
    const { to, excluded } = content;
    const { journalId, n } = terms;
    await this.#write({ journalId, n, hash, segment, from, to, count: content.offsets.length, excluded });
    this.#open = true;
    this.#refused.begin();
    this.#fresh = content;
    return true;
  }

  /**
   * Gives the open batch to the store. `changed`: the batch is another one now, or none is open. Throws
   * `store_unavailable` and errors of the disk; then call `forget`, and `apply` again.
   */
  async apply(manifest: BatchManifest): Promise<'confirmed' | 'changed' | RefusalPause> {
    const content = this.#fresh ?? (await this.#reload(manifest));
    this.#fresh = null;
    if (content?.to !== manifest.to || content.offsets.length !== manifest.count)
      return this.#recover(manifest, content);
    let result: BatchResult;
    try {
      const { journalId, n, hash } = manifest;
      result = await this.#ahead.during(
        this.#options.store.applyBatch({ journalId, n, hash }, content.batch),
        { segment: manifest.segment, offset: manifest.to },
        this.#terms(manifest, this.synced, this.#nextLimit()),
      );
    } catch (error) {
      if (error instanceof AppError && error.code === 'store_unavailable') throw error;
      const refusal = await this.#refused.add(manifest, content, error);
      if (refusal.kind === 'cut') this.#limit = refusal.records;
      return refusal.kind === 'pause' ? refusal : 'changed';
    }
    if (result.kind === 'foreign') {
      this.#options.logger.warn(
        { n: manifest.n },
        'the store has another batch with this number: the journal is a copy',
      );
      return this.#renew(manifest);
    }
    if (content.forwards.length > 0) await this.#options.forward?.(content.forwards);
    return this.#confirmed(manifest, content.batch.events.length, result);
  }

  /** Forgets the content of the open batch after a failure: the store may have changed it. */
  forget(): void {
    this.#fresh = null;
  }

  /** Stops reading ahead at its next turn of the event loop. */
  hurry(): void {
    this.#ahead.giveUp();
  }

  /** Reports segments removed or skipped without a batch. */
  reportRest(): void {
    if (this.#removed.length > 0 || this.#source.position !== this.#reported) this.#report(null);
  }

  async close(): Promise<void> {
    if (this.#manifest !== null && !this.#open && this.#manifest.from < this.#manifest.to) {
      // Saves the next start a replay; without it the replay finds the batch applied.
      await this.#close(this.#source.position).catch(() => undefined);
    }
    await this.#log.close();
  }

  /** Returns the terms of the batch behind the one of the manifest. */
  #terms({ journalId, n }: BatchManifest, synced: JournalPosition, maxRecords: number): CutTerms {
    return { journalId, n: n + 1, synced, maxRecords, maxBytes: this.#options.maxBytes };
  }

  #nextLimit(): number {
    return Math.min(this.#limit * 2, this.#options.maxRecords);
  }

  async #recover(manifest: BatchManifest, content: BatchContent | null): Promise<'confirmed' | 'changed'> {
    const recovered = await recoverUnreadable(this.#options, manifest, content);
    if (recovered === null) return this.#renew(manifest);
    if ('kind' in recovered) return this.#confirmed(manifest, 0, recovered);
    await this.#write(recovered);
    return 'changed';
  }

  #confirmed(manifest: BatchManifest, events: number, result: BatchResult): 'confirmed' {
    this.#open = false;
    this.#source.position = { segment: manifest.segment, offset: manifest.to };
    this.#limit = this.#nextLimit();
    if (events > 0) this.#refused.stored();
    const { stored, duplicates, newErrors } = result.kind === 'applied' ? result : NOTHING;
    const seconds = (performance.now() - this.#started) / 1000;
    this.#report({ records: manifest.count, stored, duplicates, newErrors, seconds });
    return 'confirmed';
  }

  /** Digests the members of the batch again. Those that the digest refuses only now are durably excluded first. */
  async #reload(manifest: BatchManifest): Promise<BatchContent | null> {
    this.#started = performance.now();
    const content = await this.#source.reload(manifest);
    if (content !== null && content.excluded.length > manifest.excluded.length) {
      await this.#write({ ...manifest, excluded: content.excluded });
    }
    return content;
  }

  /**
   * Records everything from the open batch on under another journal id, because the store has another batch under this
   * one.
   */
  async #renew(manifest: BatchManifest): Promise<'changed'> {
    await this.#write(openingManifest(manifest.segment, manifest.from));
    this.#open = false;
    this.#source.position = { segment: manifest.segment, offset: manifest.from };
    return 'changed';
  }

  /** Records durably that nothing before the position is open. */
  async #close({ segment, offset }: JournalPosition): Promise<void> {
    if (this.#manifest !== null) {
      await this.#write({ ...this.#manifest, segment, from: offset, to: offset, count: 0, excluded: [] });
    }
  }

  async #write(manifest: BatchManifest): Promise<void> {
    await this.#log.write(manifest);
    this.#manifest = manifest;
  }

  #report(batch: DigestProgress['batch']): void {
    const removedSegments = this.#removed;
    this.#removed = [];
    this.#reported = this.#source.position;
    this.#options.onProgress({ position: this.#source.position, removedSegments, batch });
  }
}
