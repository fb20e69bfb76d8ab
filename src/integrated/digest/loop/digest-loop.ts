import { performance } from 'node:perf_hooks';
import { AppError } from '../../../domain/app-error.ts';
import type { BatchResult } from '../../../domain/digest.ts';
import { SealLog, openingSeal } from '../../intake/journal/seal-log.ts';
import type { Seal } from '../../intake/journal/seal-log.ts';
import type { JournalPosition } from '../../intake/journal/segment.ts';
import { BackOff, sleep } from '../../../lib/back-off.ts';
import type { Sleep } from '../../../lib/back-off.ts';
import type { BatchContent } from './batch-reader.ts';
import { BatchSource } from './batch-source.ts';
import type { CutTerms } from './batch-source.ts';
import type { DigestProgress } from './digest-progress.ts';
import { FailureRun } from './failure-run.ts';
import { Gathering } from './gathering.ts';
import { IdleWaiters } from './idle-waiters.ts';
import type { DigestLoopOptions } from './digest-loop-options.ts';
import { ReadingAhead } from './reading-ahead.ts';
import { recoverSeal } from './recover-seal.ts';
import { settleUnreadable, shrinkSeal } from './settle-unreadable.ts';

/** Times a store must refuse a record alone before it is set aside: one unknown error proves nothing. */
const REFUSALS = 3;

/** Bytes of the journal that make a batch worth its cost: some hundred usual events. More would only take memory. */
const ENOUGH_BYTES = 1024 * 1024;

/**
 * Cuts the journal into batches and gives each to the store exactly once. One batch at a time: its seal is
 * durable before the store sees it, and the next is cut only after the store has confirmed it, so that the
 * newest seal alone says where a restart goes on.
 */
export class DigestLoop {
  readonly #options: DigestLoopOptions;
  readonly #log: SealLog;
  readonly #source: BatchSource;
  readonly #sleep: Sleep;
  readonly #failures: FailureRun;
  readonly #refusalBackOff: BackOff;
  readonly #gathering: Gathering;
  readonly #ahead: ReadingAhead;
  readonly #stopping = new AbortController();
  #wakeUp = new AbortController();
  #synced: JournalPosition = { segment: 0, offset: 0 };
  /** The newest durable seal; null until the loop knows where it stands. */
  #seal: Seal | null = null;
  /** The seal's batch is not confirmed yet. */
  #open = false;
  /** The batch as it was cut; gone after a failure, because the payloads may belong to the store by then. */
  #fresh: BatchContent | null = null;
  #started = 0;
  #limit: number;
  #refusals = 0;
  #removed: number[] = [];
  #reported: JournalPosition | null = null;
  #idle = false;
  #failure: Error | null = null;
  readonly #waiters = new IdleWaiters();
  #running: Promise<void> | null = null;

  constructor(options: DigestLoopOptions) {
    const random = options.random ?? Math.random;
    this.#options = options;
    this.#log = new SealLog(options.files, options.dir);
    this.#source = new BatchSource(options);
    this.#sleep = options.sleep ?? sleep;
    this.#failures = new FailureRun(options, random);
    this.#refusalBackOff = new BackOff({ firstMs: 250, maxMs: 60_000, random });
    this.#gathering = new Gathering(options.gatherMs ?? 0, this.#sleep, () => this.#mayGather());
    this.#limit = options.maxRecords;
    this.#ahead = new ReadingAhead(this.#source);
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Everything before the position is synced and may be digested. Lower positions than known are ignored. */
  advance(position: JournalPosition): void {
    const { segment, offset } = this.#synced;
    if (position.segment > segment || (position.segment === segment && position.offset > offset)) {
      this.#synced = position;
      this.#idle = false;
      this.#wakeUp.abort();
      this.#gathering.look();
    }
  }

  /** Resolves true when everything up to the last `advance` is in the store, false when the loop was stopped before. */
  idle(): Promise<boolean> {
    if (this.#failure !== null) {
      return Promise.reject(this.#failure);
    }
    if (this.#idle || this.#stopping.signal.aborted) {
      return Promise.resolve(this.#idle);
    }
    const idle = this.#waiters.wait();
    this.#gathering.look();
    return idle;
  }

  /** Ends after the step in hand; what is not confirmed then is taken up by the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#ahead.giveUp();
    this.#wakeUp.abort();
    this.#gathering.look();
    await this.#running;
    if (this.#seal !== null && !this.#open && this.#seal.from < this.#seal.to) {
      // Spares the next start a replay; without it the replay finds the batch applied.
      await this.#close(this.#source.position).catch(() => undefined);
    }
    await this.#log.close();
    this.#waiters.resolve(false);
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#gathering.wait();
        const synced = this.#synced;
        if (!(await this.#step(synced)) && synced === this.#synced) {
          await this.#rest();
        }
      } catch (error) {
        await this.#failed(error);
      }
    }
  }

  /** Whether there is a little to do, and nobody waits for it. */
  #mayGather(): boolean {
    const { segment, offset } = this.#source.position;
    const bytes = this.#synced.offset - offset;
    const little = segment === this.#synced.segment && bytes > 0 && bytes < ENOUGH_BYTES;
    return little && !this.#open && this.#waiters.none && !this.#stopping.signal.aborted;
  }

  /** False when there is nothing to do. */
  async #step(synced: JournalPosition): Promise<boolean> {
    this.#seal ??= await this.#recover();
    const seal = this.#seal;
    if (this.#open) {
      await this.#apply(seal);
      return true;
    }
    this.#started = performance.now();
    this.#gathering.begin();
    const terms = this.#terms(seal, synced, this.#limit);
    const batch =
      this.#ahead.take(this.#source.position, terms) ??
      (await this.#source.cut({
        ...terms,
        beforeRemove: (position) => this.#close(position),
        onRemoved: (segment) => this.#removed.push(segment),
      }));
    if (batch === null) {
      return false;
    }
    const { segment, from, hash, content } = batch;
    await this.#write({
      journalId: seal.journalId,
      n: seal.n + 1,
      hash,
      segment,
      from,
      to: content.to,
      count: content.offsets.length,
      excluded: content.excluded,
    });
    this.#open = true;
    this.#refusals = 0;
    this.#fresh = content;
    return true;
  }

  /** Of the batch that comes after the one of the seal. */
  #terms({ journalId, n }: Seal, synced: JournalPosition, maxRecords: number): CutTerms {
    return { journalId, n: n + 1, synced, maxRecords, maxBytes: this.#options.maxBytes };
  }

  #nextLimit(): number {
    return Math.min(this.#limit * 2, this.#options.maxRecords);
  }

  async #recover(): Promise<Seal> {
    const { seal, open, removed } = await recoverSeal(this.#options, this.#log);
    this.#open = open;
    this.#source.position = { segment: seal.segment, offset: seal.from };
    this.#removed.push(...removed);
    return seal;
  }

  async #apply(seal: Seal): Promise<void> {
    const content = this.#fresh ?? (await this.#reload(seal));
    this.#fresh = null;
    if (content?.to !== seal.to || content.offsets.length !== seal.count) {
      const settled = await settleUnreadable(this.#options, seal, content);
      if (settled === null) await this.#renew(seal);
      else if ('kind' in settled) this.#confirmed(seal, 0, settled);
      else await this.#write(settled);
      return;
    }
    let result: BatchResult;
    try {
      const { journalId, n, hash } = seal;
      result = await this.#ahead.during(
        this.#options.store.applyBatch({ journalId, n, hash }, content.batch),
        { segment: seal.segment, offset: seal.to },
        this.#terms(seal, this.#synced, this.#nextLimit()),
      );
    } catch (error) {
      if (error instanceof AppError && error.code === 'store_unavailable') {
        throw error;
      }
      await this.#refused(seal, content, error);
      return;
    }
    if (result.kind === 'foreign') {
      this.#options.logger.warn(
        { n: seal.n },
        'the store knows another batch under this number: the journal is a copy',
      );
      await this.#renew(seal);
      return;
    }
    this.#confirmed(seal, content.batch.events.length, result);
  }

  #confirmed(seal: Seal, events: number, result: BatchResult): void {
    this.#open = false;
    this.#source.position = { segment: seal.segment, offset: seal.to };
    this.#limit = this.#nextLimit();
    this.#failures.end();
    if (events > 0) {
      this.#refusalBackOff.reset();
    }
    const { stored, duplicates, newErrors } = result.kind === 'applied' ? result : NOTHING;
    const seconds = (performance.now() - this.#started) / 1000;
    this.#report({ records: seal.count, stored, duplicates, newErrors, seconds });
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

  /**
   * The store refuses the batch and says not why. The batch is cut in half, durably and under the same mark
   * (nothing of it is confirmed), until one record is left; that one is set aside when it is refused again
   * and again. The rest is cut into later batches.
   */
  async #refused(seal: Seal, content: BatchContent, error: unknown): Promise<void> {
    const live = [...content.offsets.keys()].filter((index) => !content.excluded.includes(index));
    this.#refusals += 1;
    const keep = live[Math.ceil(live.length / 2)];
    const end = keep === undefined ? undefined : content.offsets[keep];
    if (live.length > 1 && keep !== undefined && end !== undefined) {
      await this.#write(shrinkSeal(seal, keep, end, content.excluded));
      this.#limit = keep;
      this.#refusals = 0;
      return;
    }
    const only = live[0];
    const offset = only === undefined ? undefined : content.offsets[only];
    if (only !== undefined && offset !== undefined && this.#refusals >= REFUSALS) {
      await this.#source.setAsideRefused(seal, offset, error);
      await this.#write({ ...seal, excluded: [...content.excluded, only].sort((a, b) => a - b) });
      this.#refusals = 0;
      return;
    }
    if (only === undefined) {
      // Not even an empty batch: the fault is the store's.
      throw error;
    }
    this.#giveUpAfterTooMany(error, this.#refusalBackOff.attempts);
    await this.#sleep(this.#refusalBackOff.next(), this.#stopping.signal);
  }

  /** The store knows the journal id otherwise: everything from the open batch on is sealed anew under another. */
  async #renew(seal: Seal): Promise<void> {
    await this.#write(openingSeal(seal.segment, seal.from));
    this.#open = false;
    this.#source.position = { segment: seal.segment, offset: seal.from };
  }

  /** Makes durable that nothing before the position is open. */
  async #close(position: JournalPosition): Promise<void> {
    if (this.#seal !== null) {
      const { segment, offset } = position;
      await this.#write({ ...this.#seal, segment, from: offset, to: offset, count: 0, excluded: [] });
    }
  }

  async #write(seal: Seal): Promise<void> {
    await this.#log.write(seal);
    this.#seal = seal;
  }

  async #rest(): Promise<void> {
    this.#idle = true;
    if (this.#removed.length > 0 || this.#source.position !== this.#reported) {
      this.#report(null);
    }
    this.#failures.end();
    this.#waiters.resolve(true);
    this.#wakeUp = new AbortController();
    await new Promise<void>((resolve) => {
      this.#wakeUp.signal.addEventListener('abort', () => resolve(), { once: true });
      if (!this.#idle || this.#stopping.signal.aborted) {
        resolve();
      }
    });
  }

  async #failed(error: unknown): Promise<void> {
    this.#fresh = null;
    const before = this.#failures.count;
    const pause = this.#failures.add(error);
    this.#giveUpAfterTooMany(error, before);
    await this.#sleep(pause, this.#stopping.signal);
  }

  #giveUpAfterTooMany(error: unknown, attempts: number): void {
    if (attempts + 1 >= (this.#options.maxAttempts ?? Infinity)) {
      this.#failure = error instanceof Error ? error : new Error('the digest gave up', { cause: error });
      this.#stopping.abort();
      this.#waiters.reject(this.#failure);
    }
  }

  #report(batch: DigestProgress['batch']): void {
    const removedSegments = this.#removed;
    this.#removed = [];
    this.#reported = this.#source.position;
    this.#options.onProgress({ position: this.#source.position, removedSegments, batch });
  }
}

const NOTHING = { stored: 0, duplicates: 0, newErrors: 0 };
