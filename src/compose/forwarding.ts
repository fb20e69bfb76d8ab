import type { Config } from '../../config/schema.ts';
import type { Clock } from '../domain/ports/clock.ts';
import { spoolDir, spooledProjects } from '../integrated/forwarding/spool-paths.ts';
import { nodeJournalFiles } from '../integrated/intake/journal/node-files.ts';
import { Thread } from '../lib/thread.ts';
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
  readonly #thread: Thread<ForwardRequest, ForwardNotice>;
  #isWanted = false;

  constructor(parts: ForwardingParts) {
    this.#parts = parts;
    const { config, dataDir, logger } = parts;
    const workerData: ForwardThreadInput = { config, dataDir };
    const resourceLimits = { maxYoungGenerationSizeMb: MAX_YOUNG_MB };
    this.#thread = new Thread({
      spawn: () => createWorker('./forward-worker', import.meta.url, { name: 'forward', workerData, resourceLimits }),
      onNotice: (notice) => this.#hear(notice),
      onDeath(err, restartMs) {
        logger.error({ err, restartMs }, 'the thread that forwards requests ended and is restarted');
        return true;
      },
      firstRestartMs: FIRST_RESTART_MS,
      maxRestartMs: MAX_RESTART_MS,
    });
  }

  /** Starts the thread when an earlier run left something. */
  async start(): Promise<void> {
    const left = await spooledProjects(nodeJournalFiles, spoolDir(this.#parts.dataDir));
    if (left.length > 0) this.#want();
  }

  /** Reports the projects that forward, after each change. */
  changed(projectIds: readonly number[]): void {
    if (projectIds.length > 0) this.#want();
    this.#thread.say({ kind: 'changed' });
  }

  /** Ends the thread within a few seconds; what waits stays in the spool. */
  stop(): Promise<void> {
    return this.#thread.stop(STOP_MS);
  }

  #want(): void {
    if (this.#isWanted) return;
    this.#isWanted = true;
    this.#thread.start();
  }

  #hear(notice: ForwardNotice): void {
    const { metrics, clock } = this.#parts;
    this.#thread.works();
    if (notice.kind === 'count') {
      metrics.forwarded.inc({ result: notice.result }, notice.quantity);
      return;
    }
    const { bytes, oldestAt } = notice;
    metrics.forwardWaitingBytes.set(bytes);
    metrics.forwardOldestSeconds.set(oldestAt === null ? 0 : Math.max(0, clock.now() - oldestAt) / 1000);
  }
}
