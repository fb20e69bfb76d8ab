import { performance } from 'node:perf_hooks';
import { AppError } from '../../../domain/app-error.ts';
import type { BatchResult } from '../../../domain/digest.ts';
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
import { settleUnreadable } from './settle-unreadable.ts';

const NOTHING = { stored: 0, duplicates: 0, newErrors: 0 };

/**
 * Cuts batches and gives each to the store exactly once. One batch at a time: its manifest is durable before the
 * store sees it, and the next is cut only after the store has confirmed it, so that the newest manifest alone says
 * where a restart goes on.
 */
export class BatchApplier {
  readonly #options: DigestLoopOptions;
  readonly #log: ManifestLog;
  readonly #source: BatchSource;
  readonly #ahead: ReadingAhead;
  readonly #refused: RefusedBatches;
  /** Everything before it is durable and may be digested. */
  synced: JournalPosition = { segment: 0, offset: 0 };
  #manifest: BatchManifest | null = null;
  #open = false;
  /** The batch as it was cut; gone after a failure, because the payloads may belong to the store by then. */
  #fresh: BatchContent | null = null;
  /** When the batch was begun, by the performance clock. */
  #started = 0;
  /** Records of the next batch: fewer for a time after a refusal. */
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

  /** Everything before it is in the store or set aside. */
  get position(): JournalPosition {
    return this.#source.position;
  }

  /** Whether a recorded batch waits for the store's confirmation. */
  get isOpen(): boolean {
    return this.#open;
  }

  /** The newest durable manifest; null until `recover`. */
  get manifest(): BatchManifest | null {
    return this.#manifest;
  }

  /** Finds out where the process before this one ended; to be called first. */
  async recover(): Promise<BatchManifest> {
    const { manifest, open, removed } = await recoverManifest(this.#options, this.#log);
    this.#open = open;
    this.#source.position = { segment: manifest.segment, offset: manifest.from };
    this.#removed.push(...removed);
    this.#manifest = manifest;
    return manifest;
  }

  /** Cuts the batch behind `manifest`, which must be confirmed; false when nothing is left before `synced`. */
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
   * Gives the open batch to the store. `changed`: the batch is another one now, or none is open any more. Throws
   * `store_unavailable`, and what the disk throws; then forget what was read, and call again.
   */
  async apply(manifest: BatchManifest): Promise<'confirmed' | 'changed' | RefusalPause> {
    const content = this.#fresh ?? (await this.#reload(manifest));
    this.#fresh = null;
    if (content?.to !== manifest.to || content.offsets.length !== manifest.count)
      return this.#settle(manifest, content);
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
        'the store knows another batch under this number: the journal is a copy',
      );
      return this.#renew(manifest);
    }
    return this.#confirmed(manifest, content.batch.events.length, result);
  }

  /** Forgets the content of the open batch after a failure: the store may have changed it. */
  forget(): void {
    this.#fresh = null;
  }

  /** Ends a reading ahead at its next turn. */
  hurry(): void {
    this.#ahead.giveUp();
  }

  /** Reports what was removed or skipped without a batch. */
  reportRest(): void {
    if (this.#removed.length > 0 || this.#source.position !== this.#reported) this.#report(null);
  }

  async close(): Promise<void> {
    if (this.#manifest !== null && !this.#open && this.#manifest.from < this.#manifest.to) {
      // Spares the next start a replay; without it the replay finds the batch applied.
      await this.#close(this.#source.position).catch(() => undefined);
    }
    await this.#log.close();
  }

  /** The terms of the batch that comes after the one of the manifest. */
  #terms({ journalId, n }: BatchManifest, synced: JournalPosition, maxRecords: number): CutTerms {
    return { journalId, n: n + 1, synced, maxRecords, maxBytes: this.#options.maxBytes };
  }

  #nextLimit(): number {
    return Math.min(this.#limit * 2, this.#options.maxRecords);
  }

  async #settle(manifest: BatchManifest, content: BatchContent | null): Promise<'confirmed' | 'changed'> {
    const settled = await settleUnreadable(this.#options, manifest, content);
    if (settled === null) return this.#renew(manifest);
    if ('kind' in settled) return this.#confirmed(manifest, 0, settled);
    await this.#write(settled);
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

  /** The same members, digested again. What the digest refuses today, but did not before, is left out durably first. */
  async #reload(manifest: BatchManifest): Promise<BatchContent | null> {
    this.#started = performance.now();
    const content = await this.#source.reload(manifest);
    if (content !== null && content.excluded.length > manifest.excluded.length) {
      await this.#write({ ...manifest, excluded: content.excluded });
    }
    return content;
  }

  /** Manifests everything from the open batch on under another journal id: the store knows this one otherwise. */
  async #renew(manifest: BatchManifest): Promise<'changed'> {
    await this.#write(openingManifest(manifest.segment, manifest.from));
    this.#open = false;
    this.#source.position = { segment: manifest.segment, offset: manifest.from };
    return 'changed';
  }

  /** Makes durable that nothing before the position is open. */
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
