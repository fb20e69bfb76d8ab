import type { Worker } from 'node:worker_threads';
import type { Config } from '../../config/schema.ts';
import type { Clock } from '../domain/ports/clock.ts';
import { spoolDir, spooledProjects } from '../integrated/forwarding/spool-paths.ts';
import { nodeJournalFiles } from '../integrated/intake/journal/node-files.ts';
import { BackOff, sleep } from '../lib/back-off.ts';
import { within } from '../lib/within.ts';
import { createWorker } from '../lib/worker.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { ForwardNotice, ForwardRequest, ForwardThreadInput } from './forward-protocol.ts';

/** First and longest delay before a thread that ended is replaced, in milliseconds. */
const FIRST_RESTART_MS = 1000;
const MAX_RESTART_MS = 60_000;
/** Maximum milliseconds that a stop waits for the thread. */
const STOP_MS = 5000;
/** Maximum megabytes of young objects of the thread. */
const MAX_YOUNG_MB = 6;

export interface ForwardingParts {
  readonly config: Config;
  /** Absolute. */
  readonly dataDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'forwarded' | 'forwardWaitingBytes' | 'forwardOldestSeconds'>;
}

/**
 * Thread that forwards requests. It starts with the first project that has a forward, or for what an earlier run left;
 * an installation without any has no thread.
 */
export class Forwarding {
  readonly #parts: ForwardingParts;
  readonly #stopping = new AbortController();
  readonly #restarts = new BackOff({ firstMs: FIRST_RESTART_MS, maxMs: MAX_RESTART_MS, random: Math.random });
  #worker: Worker | null = null;
  #ended: Promise<void> = Promise.resolve();
  #wanted = false;

  constructor(parts: ForwardingParts) {
    this.#parts = parts;
  }

  /** Starts the thread when an earlier run left something. */
  async start(): Promise<void> {
    const left = await spooledProjects(nodeJournalFiles, spoolDir(this.#parts.dataDir));
    if (left.length > 0) this.#want();
  }

  /** Reports the projects that forward, after each change. */
  changed(projectIds: readonly number[]): void {
    if (projectIds.length > 0) this.#want();
    this.#say({ kind: 'changed' });
  }

  /** Ends the thread within a few seconds; what waits stays in the spool. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#say({ kind: 'stop' });
    await within(
      STOP_MS,
      () => this.#ended,
      () => this.#worker?.terminate(),
    );
  }

  #want(): void {
    if (this.#wanted) return;
    this.#wanted = true;
    this.#spawn();
  }

  #spawn(): void {
    if (this.#stopping.signal.aborted) return;
    const { config, dataDir, logger } = this.#parts;
    const workerData: ForwardThreadInput = { config, dataDir };
    const resourceLimits = { maxYoungGenerationSizeMb: MAX_YOUNG_MB };
    const worker = createWorker('./forward-worker', import.meta.url, { name: 'forward', workerData, resourceLimits });
    this.#worker = worker;
    worker.on('message', (notice: ForwardNotice) => this.#hear(notice));
    this.#ended = new Promise((resolve) => {
      let failure: Error | null = null;
      worker.on('error', (error: Error) => (failure = error));
      worker.on('exit', () => {
        this.#worker = null;
        resolve();
        if (this.#stopping.signal.aborted) return;
        const restartMs = this.#restarts.next();
        logger.error({ err: failure, restartMs }, 'the thread that forwards requests ended and is restarted');
        void sleep(restartMs, this.#stopping.signal).then(() => this.#spawn());
      });
    });
  }

  #say(request: ForwardRequest): void {
    this.#worker?.postMessage(request);
  }

  #hear(notice: ForwardNotice): void {
    const { metrics, clock } = this.#parts;
    this.#restarts.reset();
    if (notice.kind === 'count') {
      metrics.forwarded.inc({ result: notice.result }, notice.quantity);
      return;
    }
    const { bytes, oldestAt } = notice;
    metrics.forwardWaitingBytes.set(bytes);
    metrics.forwardOldestSeconds.set(oldestAt === null ? 0 : Math.max(0, clock.now() - oldestAt) / 1000);
  }
}
