import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import { AppError } from '../../../domain/app-error.ts';
import type { ProjectProtection } from '../../../domain/own-protection.ts';
import { BackOff, sleep } from '../../../lib/back-off.ts';
import { within } from '../../../lib/within.ts';
import type { Metrics } from '../../../observability/metrics.ts';
import type { Journal } from '../../intake/journal/journal.ts';
import type { JournalPosition } from '../../intake/journal/segment.ts';
import type { DigestNotice, DigestRequest } from './digest-protocol.ts';

export interface DigestThreadOptions {
  /**
   * Starts a thread that speaks the protocol. `writes` carries the writes of the main thread's store to it; `mayWait`
   * allows it to wait for a store that does not answer.
   */
  readonly spawn: (writes: MessagePort, mayWait: boolean) => Worker;
  readonly metrics: Pick<
    Metrics,
    'stored' | 'duplicates' | 'dropped' | 'quarantined' | 'digestBatchSeconds' | 'digestRestarts'
  >;
}

export interface DigestThreadEvents {
  /** Called when the store does not answer; the thread tries again. */
  readonly onAway: (reason: string) => void;
  /** Called when the thread ended although nothing asked it to; it is restarted after `restartMs`. */
  readonly onDeath: (error: Error, restartMs: number) => void;
  /** Called when a restarted thread has opened the store; `writes` is another port then. */
  readonly onRestart: () => void;
  /** Called when no thread can work any more: the store refuses for good. */
  readonly onRefused: (error: Error) => void;
}

/** What kills the thread again and again must not keep the machine busy. Milliseconds. */
const FIRST_RESTART_MS = 200;
const MAX_RESTART_MS = 30_000;

/** The main thread's handle of the digest thread, and of those that follow when it dies. */
export class DigestThread {
  /** Resolves when the store is open and brought up to date for the first time; rejects with what it lacks. */
  readonly opened: Promise<void>;
  readonly #options: DigestThreadOptions;
  #events: DigestThreadEvents | null = null;
  #heldUp: string | null = null;
  readonly #restarts = new BackOff({ firstMs: FIRST_RESTART_MS, maxMs: MAX_RESTART_MS, random: Math.random });
  readonly #stopping = new AbortController();
  #worker: Worker | null = null;
  #writes: MessagePort | null = null;
  #ended: Promise<void> = Promise.resolve();
  /** Set by `opened`; later calls change nothing. */
  #resolveOpened: () => void = () => undefined;
  #rejectOpened: (error: Error) => void = () => undefined;
  #wasOpened = false;
  #refusal: AppError | null = null;
  #journal: Pick<Journal, 'digested'> | null = null;
  #position: JournalPosition | null = null;
  #telling = false;
  #idle: ((drained: boolean) => void) | null = null;

  constructor(options: DigestThreadOptions) {
    this.#options = options;
    this.opened = new Promise((resolve, reject) => {
      this.#resolveOpened = resolve;
      this.#rejectOpened = reject;
    });
  }

  /** Starts the first thread. Where it may not wait for a store that does not answer, `opened` rejects. */
  start(mayWait: boolean, events: DigestThreadEvents): void {
    this.#events = events;
    this.#spawn(mayWait);
  }

  /** Carries the writes of the main thread's store to the thread that lives now. */
  get writes(): MessagePort {
    if (this.#writes === null) throw new AppError('internal', 'the digest thread was never started');
    return this.#writes;
  }

  /** Why nothing gets into the store at present, in a sentence; null while the digest goes on. */
  heldUp(): string | null {
    return this.#heldUp;
  }

  /** Digests what the journal holds, and tells it what is done. */
  follow(journal: Pick<Journal, 'position' | 'digested'>): void {
    this.#journal = journal;
    this.advance(journal.position());
  }

  /** Everything before the position is durable. Sent at most once per turn of the event loop. */
  advance(position: JournalPosition): void {
    this.#position = position;
    if (this.#telling) return;
    this.#telling = true;
    setImmediate(() => {
      this.#telling = false;
      if (this.#position !== null) this.#say({ kind: 'advance', position: this.#position });
    });
  }

  /** From now on these are what projects ask for themselves. A thread that is started later asks the store. */
  protect(protections: readonly ProjectProtection[]): void {
    this.#say({ kind: 'protect', protections });
  }

  /** Waits until everything is in the store, at most `limitMs`; false when something is left for the next start. */
  async drain(limitMs: number): Promise<boolean> {
    if (this.#worker === null) return false;
    const idle = new Promise<boolean>((resolve) => (this.#idle = resolve));
    // After a turn of the event loop the last position has been told.
    setImmediate(() => this.#say({ kind: 'tell_idle' }));
    return within(
      limitMs,
      () => idle,
      () => false,
    );
  }

  /** Ends the thread after the step in hand. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#say({ kind: 'stop' });
    await this.#ended;
  }

  #spawn(mayWait: boolean): void {
    const { port1, port2 } = new MessageChannel();
    const worker = this.#options.spawn(port2, mayWait);
    this.#worker = worker;
    this.#writes = port1;
    worker.on('message', (notice: DigestNotice) => this.#hear(notice));
    this.#ended = new Promise((resolve) => {
      let failure: Error | null = null;
      worker.on('error', (error: Error) => (failure = error));
      worker.on('exit', (code) => {
        port1.close();
        this.#worker = null;
        this.#heldUp = null;
        this.#idle?.(false);
        if (!this.#stopping.signal.aborted)
          this.#lost(failure ?? new Error(`the digest thread ended with code ${code}`));
        resolve();
      });
    });
  }

  #lost(failure: Error): void {
    const error = this.#refusal ?? failure;
    if (!this.#wasOpened) this.#rejectOpened(error);
    else if (this.#refusal !== null) this.#events?.onRefused(error);
    else {
      const restartMs = this.#restarts.next();
      this.#events?.onDeath(error, restartMs);
      void sleep(restartMs, this.#stopping.signal).then(() => this.#replace());
    }
  }

  /** The new thread takes up the journal as a new process would. Now even a local store is waited for. */
  #replace(): void {
    if (this.#stopping.signal.aborted) return;
    this.#options.metrics.digestRestarts.inc();
    this.#spawn(true);
    if (this.#position !== null) this.advance(this.#position);
  }

  #say(request: DigestRequest): void {
    this.#worker?.postMessage(request);
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
          this.#restarts.reset();
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
      case 'idle':
        this.#idle?.(notice.drained);
        break;
    }
  }
}
