import type { BatchManifest } from '../../intake/journal/manifest-log.ts';
import type { JournalPosition } from '../../intake/journal/segment.ts';
import { sleep } from '../../../lib/back-off.ts';
import type { Sleep } from '../../../lib/back-off.ts';
import { BatchApplier } from './batch-applier.ts';
import { FailureRun } from './failure-run.ts';
import { Gathering } from './gathering.ts';
import { IdleWaiters } from './idle-waiters.ts';
import type { DigestLoopOptions } from './digest-loop-options.ts';

/** Bytes of the journal that make a batch worth its cost: some hundred usual events. More would only take memory. */
const ENOUGH_BYTES = 1024 * 1024;

/** Keeps batches coming while the journal has something: waits, tries again after failures, tells when it is idle. */
export class DigestLoop {
  readonly #options: DigestLoopOptions;
  readonly #batches: BatchApplier;
  readonly #sleep: Sleep;
  readonly #failures: FailureRun;
  readonly #gathering: Gathering;
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
    this.#gathering = new Gathering(options.gatherMs ?? 0, this.#sleep, () => this.#mayGather());
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Everything before the position is synced and may be digested. Lower positions than known are ignored. */
  advance(position: JournalPosition): void {
    const { segment, offset } = this.#batches.synced;
    if (position.segment > segment || (position.segment === segment && position.offset > offset)) {
      this.#batches.synced = position;
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
    this.#batches.hurry();
    this.#wakeUp.abort();
    this.#gathering.look();
    await this.#running;
    await this.#batches.close();
    this.#waiters.resolve(false);
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#gathering.wait();
        const { synced } = this.#batches;
        const manifest = this.#batches.manifest ?? (await this.#batches.recover());
        if (this.#batches.isOpen) await this.#apply(manifest);
        else if (!(await this.#cut(manifest, synced)) && synced === this.#batches.synced) await this.#rest();
      } catch (error) {
        await this.#failed(error);
      }
    }
  }

  /** False when there is nothing to cut. */
  #cut(manifest: BatchManifest, synced: JournalPosition): Promise<boolean> {
    this.#gathering.begin();
    return this.#batches.cut(manifest, synced);
  }

  async #apply(manifest: BatchManifest): Promise<void> {
    const result = await this.#batches.apply(manifest);
    if (result === 'confirmed') this.#failures.end();
    else if (result !== 'changed') await this.#pause(result.error, result.before, result.pauseMs);
  }

  /** Whether there is a little to do, and nobody waits for it. */
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

  /** Ends the loop instead where `before` earlier attempts were enough. */
  async #pause(error: unknown, before: number, pauseMs: number): Promise<void> {
    if (before + 1 >= (this.#options.maxAttempts ?? Infinity)) {
      this.#failure = error instanceof Error ? error : new Error('the digest gave up', { cause: error });
      this.#stopping.abort();
      this.#waiters.reject(this.#failure);
    }
    await this.#sleep(pauseMs, this.#stopping.signal);
  }
}
