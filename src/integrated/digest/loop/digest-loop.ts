import type { BatchManifest } from '../../intake/journal/manifest-log.ts';
import type { JournalPosition } from '../../intake/journal/segment.ts';
import { sleep } from '../../../lib/back-off.ts';
import type { Sleep } from '../../../lib/back-off.ts';
import { BatchApplier } from './batch-applier.ts';
import { FailureRun } from './failure-run.ts';
import { BatchDelay } from './batch-delay.ts';
import { IdleWaiters } from './idle-waiters.ts';
import type { DigestLoopOptions } from './digest-loop-options.ts';

/** Journal bytes that fill a batch: some hundred usual events. More would only use memory. */
const ENOUGH_BYTES = 1024 * 1024;

/** Processes batches while the journal has records: waits, retries after failures, reports idleness. */
export class DigestLoop {
  readonly #options: DigestLoopOptions;
  readonly #batches: BatchApplier;
  readonly #sleep: Sleep;
  readonly #failures: FailureRun;
  readonly #delay: BatchDelay;
  readonly #stopping = new AbortController();
  #wakeUp = new AbortController();
  #idle = false;
  #failure: Error | null = null;
  readonly #waiters = new IdleWaiters();
  #running: Promise<void> | null = null;

  constructor(options: DigestLoopOptions) {
    this.#options = options;
    this.#batches = new BatchApplier(options);
    this.#sleep = options.sleep ?? sleep;
    this.#failures = new FailureRun(options, options.random ?? Math.random);
    this.#delay = new BatchDelay(options.gatherMs ?? 0, this.#sleep, () => this.#mayGather());
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Reports that everything before the position is synced. Ignores lower positions than the known one. */
  advance(position: JournalPosition): void {
    const { segment, offset } = this.#batches.synced;
    if (position.segment > segment || (position.segment === segment && position.offset > offset)) {
      this.#batches.synced = position;
      this.#idle = false;
      this.#wakeUp.abort();
      this.#delay.look();
    }
  }

  /**
   * Resolves to true when everything up to the last `advance` is in the store, to false when the loop stopped before.
   */
  idle(): Promise<boolean> {
    if (this.#failure !== null) {
      return Promise.reject(this.#failure);
    }
    if (this.#idle || this.#stopping.signal.aborted) {
      return Promise.resolve(this.#idle);
    }
    const idle = this.#waiters.wait();
    this.#delay.look();
    return idle;
  }

  /** Stops after the running step. The next start continues with unconfirmed records. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#batches.hurry();
    this.#wakeUp.abort();
    this.#delay.look();
    await this.#running;
    await this.#batches.close();
    this.#waiters.resolve(false);
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#delay.wait();
        const { synced } = this.#batches;
        const manifest = this.#batches.manifest ?? (await this.#batches.recover());
        if (this.#batches.isOpen) await this.#apply(manifest);
        else if (!(await this.#cut(manifest, synced)) && synced === this.#batches.synced) await this.#rest();
      } catch (error) {
        await this.#failed(error);
      }
    }
  }

  /** Cuts the next batch. Returns false when there is none. */
  #cut(manifest: BatchManifest, synced: JournalPosition): Promise<boolean> {
    this.#delay.begin();
    return this.#batches.cut(manifest, synced);
  }

  async #apply(manifest: BatchManifest): Promise<void> {
    const result = await this.#batches.apply(manifest);
    if (result === 'confirmed') this.#failures.end();
    else if (result !== 'changed') await this.#pause(result.error, result.before, result.pauseMs);
  }

  /** Returns true while few records wait and no caller waits for them. */
  #mayGather(): boolean {
    const { position, synced, isOpen } = this.#batches;
    const bytes = synced.offset - position.offset;
    const little = position.segment === synced.segment && bytes > 0 && bytes < ENOUGH_BYTES;
    return little && !isOpen && this.#waiters.none && !this.#stopping.signal.aborted;
  }

  async #rest(): Promise<void> {
    this.#idle = true;
    this.#batches.reportRest();
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
    this.#batches.forget();
    const before = this.#failures.count;
    await this.#pause(error, before, this.#failures.add(error));
  }

  /** Pauses after a failure. Ends the loop instead when `before` earlier attempts were enough. */
  async #pause(error: unknown, before: number, pauseMs: number): Promise<void> {
    if (before + 1 >= (this.#options.maxAttempts ?? Infinity)) {
      this.#failure = error instanceof Error ? error : new Error('the digest gave up', { cause: error });
      this.#stopping.abort();
      this.#waiters.reject(this.#failure);
    }
    await this.#sleep(pauseMs, this.#stopping.signal);
  }
}
