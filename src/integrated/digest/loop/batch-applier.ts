import { performance } from 'node:perf_hooks';
import { AppError } from '../../../domain/app-error.ts';
import type { BatchResult } from '../../../domain/digest.ts';
import { SealLog, openingSeal } from '../../intake/journal/seal-log.ts';
import type { Seal } from '../../intake/journal/seal-log.ts';
import type { JournalPosition } from '../../intake/journal/segment.ts';
import type { BatchContent } from './batch-reader.ts';
import { BatchSource } from './batch-source.ts';
import type { CutTerms } from './batch-source.ts';
import type { DigestLoopOptions, DigestProgress } from './digest-loop-options.ts';
import { ReadingAhead } from './reading-ahead.ts';
import { recoverSeal } from './recover-seal.ts';
import { RefusedBatches } from './refused-batches.ts';
import type { RefusalPause } from './refused-batches.ts';
import { settleUnreadable } from './settle-unreadable.ts';

const NOTHING = { stored: 0, duplicates: 0, newErrors: 0 };

/**
 * Cuts batches and gives each to the store exactly once. One batch at a time: its seal is durable before the
 * store sees it, and the next is cut only after the store has confirmed it, so that the newest seal alone says
 * where a restart goes on.
 */
export class BatchApplier {
  readonly #options: DigestLoopOptions;
  readonly #log: SealLog;
  readonly #source: BatchSource;
  readonly #ahead: ReadingAhead;
  readonly #refused: RefusedBatches;
  /** Everything before it is durable and may be digested. */
  synced: JournalPosition = { segment: 0, offset: 0 };
  #seal: Seal | null = null;
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
    this.#log = new SealLog(options.files, options.dir);
    this.#source = new BatchSource(options);
    this.#ahead = new ReadingAhead(this.#source);
    this.#refused = new RefusedBatches({
      source: this.#source,
      write: (seal) => this.#write(seal),
      random: options.random ?? Math.random,
    });
    this.#limit = options.maxRecords;
  }

  /** Everything before it is in the store or set aside. */
  get position(): JournalPosition {
    return this.#source.position;
  }

  /** Whether a sealed batch waits for the store's confirmation. */
  get isOpen(): boolean {
    return this.#open;
  }

  /** The newest durable seal; null until `recover`. */
  get seal(): Seal | null {
    return this.#seal;
  }

  /** Finds out where the process before this one ended; to be called first. */
  async recover(): Promise<Seal> {
    const { seal, open, removed } = await recoverSeal(this.#options, this.#log);
    this.#open = open;
    this.#source.position = { segment: seal.segment, offset: seal.from };
    this.#removed.push(...removed);
    this.#seal = seal;
    return seal;
  }

  /** Cuts the batch behind `seal`, which must be confirmed; false when nothing is left before `synced`. */
  async cut(seal: Seal, synced: JournalPosition): Promise<boolean> {
    this.#started = performance.now();
    const terms = this.#terms(seal, synced, this.#limit);
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
  async apply(seal: Seal): Promise<'confirmed' | 'changed' | RefusalPause> {
    const content = this.#fresh ?? (await this.#reload(seal));
    this.#fresh = null;
    if (content?.to !== seal.to || content.offsets.length !== seal.count) return this.#settle(seal, content);
    let result: BatchResult;
    try {
      const { journalId, n, hash } = seal;
      result = await this.#ahead.during(
        this.#options.store.applyBatch({ journalId, n, hash }, content.batch),
        { segment: seal.segment, offset: seal.to },
        this.#terms(seal, this.synced, this.#nextLimit()),
      );
    } catch (error) {
      if (error instanceof AppError && error.code === 'store_unavailable') throw error;
      const refusal = await this.#refused.add(seal, content, error);
      if (refusal.kind === 'cut') this.#limit = refusal.records;
      return refusal.kind === 'pause' ? refusal : 'changed';
    }
    if (result.kind === 'foreign') {
      this.#options.logger.warn(
        { n: seal.n },
        'the store knows another batch under this number: the journal is a copy',
      );
      return this.#renew(seal);
    }
    return this.#confirmed(seal, content.batch.events.length, result);
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
    if (this.#seal !== null && !this.#open && this.#seal.from < this.#seal.to) {
      // Spares the next start a replay; without it the replay finds the batch applied.
      await this.#close(this.#source.position).catch(() => undefined);
    }
    await this.#log.close();
  }

  /** The terms of the batch that comes after the one of the seal. */
  #terms({ journalId, n }: Seal, synced: JournalPosition, maxRecords: number): CutTerms {
    return { journalId, n: n + 1, synced, maxRecords, maxBytes: this.#options.maxBytes };
  }

  #nextLimit(): number {
    return Math.min(this.#limit * 2, this.#options.maxRecords);
  }

  async #settle(seal: Seal, content: BatchContent | null): Promise<'confirmed' | 'changed'> {
    const settled = await settleUnreadable(this.#options, seal, content);
    if (settled === null) return this.#renew(seal);
    if ('kind' in settled) return this.#confirmed(seal, 0, settled);
    await this.#write(settled);
    return 'changed';
  }

  #confirmed(seal: Seal, events: number, result: BatchResult): 'confirmed' {
    this.#open = false;
    this.#source.position = { segment: seal.segment, offset: seal.to };
    this.#limit = this.#nextLimit();
    if (events > 0) this.#refused.stored();
    const { stored, duplicates, newErrors } = result.kind === 'applied' ? result : NOTHING;
    const seconds = (performance.now() - this.#started) / 1000;
    this.#report({ records: seal.count, stored, duplicates, newErrors, seconds });
    return 'confirmed';
  }

  /** The same members, digested again. What the digest refuses today, but did not before, is left out durably first. */
  async #reload(seal: Seal): Promise<BatchContent | null> {
    this.#started = performance.now();
    const content = await this.#source.reload(seal);
    if (content !== null && content.excluded.length > seal.excluded.length) {
      await this.#write({ ...seal, excluded: content.excluded });
    }
    return content;
  }

  /** Seals everything from the open batch on under another journal id: the store knows this one otherwise. */
  async #renew(seal: Seal): Promise<'changed'> {
    await this.#write(openingSeal(seal.segment, seal.from));
    this.#open = false;
    this.#source.position = { segment: seal.segment, offset: seal.from };
    return 'changed';
  }

  /** Makes durable that nothing before the position is open. */
  async #close({ segment, offset }: JournalPosition): Promise<void> {
    if (this.#seal !== null) {
      await this.#write({ ...this.#seal, segment, from: offset, to: offset, count: 0, excluded: [] });
    }
  }

  async #write(seal: Seal): Promise<void> {
    await this.#log.write(seal);
    this.#seal = seal;
  }

  #report(batch: DigestProgress['batch']): void {
    const removedSegments = this.#removed;
    this.#removed = [];
    this.#reported = this.#source.position;
    this.#options.onProgress({ position: this.#source.position, removedSegments, batch });
  }
}
