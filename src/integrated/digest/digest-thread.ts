import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import { AppError } from '../../domain/app-error.ts';
import type { ProjectProtection } from '../../domain/ingest/protection-overrides.ts';
import { Thread } from '../../lib/thread.ts';
import { within } from '../../lib/within.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { Journal } from '../intake/journal/journal.ts';
import type { JournalPosition } from '../intake/journal/segment.ts';
import type { DigestNotice, DigestRequest } from './digest-protocol.ts';

export interface DigestThreadOptions {
  /**
   * Starts a thread with this protocol. `writes` carries the writes of the main thread's store to it. `mayWait` lets it
   * wait for a store that does not answer.
   */
  readonly spawn: (writes: MessagePort, mayWait: boolean) => Worker;
  readonly metrics: Pick<
    Metrics,
    | 'stored'
    | 'duplicates'
    | 'dropped'
    | 'quarantined'
    | 'digestBatchSeconds'
    | 'digestRestarts'
    | 'frames'
    | 'groupedAsSent'
    | 'forwarded'
  >;
}

export interface DigestThreadEvents {
  /** Called when the store does not answer; the thread tries again. */
  readonly onAway: (reason: string) => void;
  /** Called when the thread ended unexpectedly; it is restarted after `restartMs`. */
  readonly onDeath: (error: Error, restartMs: number) => void;
  /** Called when a restarted thread has opened the store; `writes` is a new port then. */
  readonly onRestart: () => void;
  /** Called when the store refuses permanently, so that no thread can work. */
  readonly onRefused: (error: Error) => void;
}

/** First delay before a restart in milliseconds, so that repeated crashes do not use up the CPU. */
const FIRST_RESTART_MS = 200;
const MAX_RESTART_MS = 30_000;

/** Handle of the digest thread for the main thread, also of restarted ones. */
export class DigestThread {
  /** Resolves when the store is open and migrated for the first time; rejects with the reason of refusal. */
  readonly opened: Promise<void>;
  readonly #options: DigestThreadOptions;
  #events: DigestThreadEvents | null = null;
  #heldUp: string | null = null;
  readonly #thread: Thread<DigestRequest, DigestNotice>;
  #mayWait = true;
  #writes: MessagePort | null = null;
  /** Set by `opened`; later calls change nothing. */
  #resolveOpened: () => void = () => undefined;
  #rejectOpened: (error: Error) => void = () => undefined;
  #wasOpened = false;
  #refusal: AppError | null = null;
  #journal: Pick<Journal, 'digested'> | null = null;
  #position: JournalPosition | null = null;
  #advanceQueued = false;
  #idle: ((drained: boolean) => void) | null = null;

  constructor(options: DigestThreadOptions) {
    this.#options = options;
    this.#thread = new Thread({
      spawn: (restarted) => this.#spawn(restarted),
      onNotice: (notice) => this.#hear(notice),
      onEnd: () => this.#ended(),
      onDeath: (error, restartMs) => this.#lost(error, restartMs),
      firstRestartMs: FIRST_RESTART_MS,
      maxRestartMs: MAX_RESTART_MS,
    });
    this.opened = new Promise((resolve, reject) => {
      this.#resolveOpened = resolve;
      this.#rejectOpened = reject;
    });
  }

  /** Starts the first thread. When it may not wait and the store does not answer, `opened` rejects. */
  start(mayWait: boolean, events: DigestThreadEvents): void {
    this.#events = events;
    this.#mayWait = mayWait;
    this.#thread.start();
  }

  /** Port for the writes of the main thread's store to the current thread. */
  get writes(): MessagePort {
    if (this.#writes === null) throw new AppError('internal', 'the digest thread was never started');
    return this.#writes;
  }

  /** Returns the reason why no event gets into the store, as a sentence; null while the digest runs. */
  heldUp(): string | null {
    return this.#heldUp;
  }

  /** Connects the journal: digests its records and reports progress to it. */
  follow(journal: Pick<Journal, 'position' | 'digested'>): void {
    this.#journal = journal;
    this.advance(journal.position());
  }

  /** Reports that everything before the position is durable. Sent at most once per turn of the event loop. */
  advance(position: JournalPosition): void {
    this.#position = position;
    if (this.#advanceQueued) return;
    this.#advanceQueued = true;
    setImmediate(() => {
      this.#advanceQueued = false;
      if (this.#position !== null) this.#thread.say({ kind: 'advance', position: this.#position });
    });
  }

  /** Replaces the protection settings of projects. A thread that is started later reads them from the store. */
  protect(protections: readonly ProjectProtection[]): void {
    this.#thread.say({ kind: 'protect', protections });
  }

  /**
   * Waits until everything is in the store, at most `limitMs`. Returns false when records are left for the next start.
   */
  async drain(limitMs: number): Promise<boolean> {
    if (!this.#thread.isLive) return false;
    const idle = new Promise<boolean>((resolve) => (this.#idle = resolve));
    // After a turn of the event loop the last position has been sent.
    setImmediate(() => this.#thread.say({ kind: 'report_idle' }));
    return within(
      limitMs,
      () => idle,
      () => false,
    );
  }

  /** Stops the thread after its running step. */
  stop(): Promise<void> {
    return this.#thread.stop();
  }

  /** Starts a worker. A restarted one recovers the journal like a new process, and may wait even for a local store. */
  #spawn(restarted: boolean): Worker {
    const { port1, port2 } = new MessageChannel();
    this.#writes = port1;
    if (restarted) {
      this.#options.metrics.digestRestarts.inc();
      if (this.#position !== null) this.advance(this.#position);
    }
    return this.#options.spawn(port2, restarted || this.#mayWait);
  }

  #ended(): void {
    this.#writes?.close();
    this.#heldUp = null;
    this.#idle?.(false);
  }

  /** Returns true when the worker is to be replaced. */
  #lost(failure: Error, restartMs: number): boolean {
    const error = this.#refusal ?? failure;
    if (!this.#wasOpened) this.#rejectOpened(error);
    else if (this.#refusal !== null) this.#events?.onRefused(error);
    else this.#events?.onDeath(error, restartMs);
    return this.#wasOpened && this.#refusal === null;
  }

  #hear(notice: DigestNotice): void {
    const { metrics } = this.#options;
    switch (notice.kind) {
      case 'away':
        this.#events?.onAway(notice.reason);
        break;
      case 'refused':
        this.#refusal = new AppError(notice.code, notice.reason);
        break;
      case 'ready':
        if (this.#wasOpened) this.#events?.onRestart();
        this.#wasOpened = true;
        this.#resolveOpened();
        break;
      case 'progress': {
        const { position, removedSegments, batch } = notice.progress;
        if (batch !== null) {
          this.#thread.works();
          metrics.stored.inc(batch.stored);
          metrics.duplicates.inc(batch.duplicates);
          metrics.digestBatchSeconds.observe(batch.seconds);
        }
        this.#journal?.digested(position, removedSegments);
        break;
      }
      case 'held_up':
        this.#heldUp = notice.reason;
        break;
      case 'quarantined':
        metrics.quarantined.inc(notice.count);
        break;
      case 'dropped':
        metrics.dropped.inc({ category: notice.category, reason: notice.reason }, notice.quantity);
        break;
      case 'frames':
        metrics.frames.inc({ result: 'mapped' }, notice.mapped);
        metrics.frames.inc({ result: 'unmapped' }, notice.unmapped);
        metrics.frames.inc({ result: 'over_bound' }, notice.skipped);
        break;
      case 'grouped_as_sent':
        metrics.groupedAsSent.inc();
        break;
      case 'forwards_unwritten':
        metrics.forwarded.inc({ result: 'unwritten' }, notice.count);
        break;
      case 'idle':
        this.#idle?.(notice.drained);
        break;
    }
  }
}
