import { type MessagePort, type Worker } from 'node:worker_threads';
import type { Config } from '../../config/schema.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { Store } from '../domain/ports/stores/store.ts';
import { DigestThread } from '../integrated/digest/digest-thread.ts';
import { createWorker } from '../lib/worker.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { waitsFor } from '../storage/open/open-with-retry.ts';
import { openStore } from '../storage/open/open-store.ts';
import { ReconnectingStore } from '../storage/open/reconnecting-store.ts';
import { storeTraits } from '../storage/open/store-traits.ts';

/** Start data of the digest thread. */
export interface DigestThreadInput {
  readonly config: Config;
  /** Absolute. */
  readonly dataDir: string;
  /** The other end of the main thread's store: carries its writes. */
  readonly writes: MessagePort;
  /** True: the thread waits for a store that is not available. */
  readonly mayWait: boolean;
}

export interface StoreSideOptions {
  readonly config: Config;
  /** Absolute. */
  readonly dataDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Checks the opened store before its first use; throws to refuse it. */
  readonly admit: (store: Store) => Promise<void>;
}

export interface StoreSide {
  /** Store of the main thread. Calls fail with `store_unavailable` until `opened` has resolved. */
  readonly store: Store;
  readonly thread: DigestThread;
  readonly opened: Promise<void>;
  /** Resolves only when the store becomes permanently unusable while the service runs. */
  readonly failed: Promise<Error>;
  /** Returns the reason why the service waits for the store; null when it does not wait. */
  readonly away: () => string | null;
  /** Message of the last call that met a damaged file; null: none has. */
  readonly damage: () => string | null;
  readonly close: () => Promise<void>;
}

/** Maximum megabytes of young objects of the thread. Measured: more gives no speed and costs resident memory. */
const MAX_YOUNG_MB = 6;

/** Cache lifetime of projects, roles and settings in milliseconds: half of the promised 2 s. */
const MAX_AGE_MS = 1000;

/** Milliseconds between two log lines about the same outage. */
const REMIND_MS = 60_000;

/** Logs that the store is unavailable, at once and then every minute. */
class AwayNotice {
  readonly #clock: Clock;
  readonly #logger: Pick<Logger, 'warn' | 'info'>;
  #loggedAt: number | null = null;
  #listener: (reason: string) => void = () => undefined;
  reason: string | null = null;

  constructor(clock: Clock, logger: Pick<Logger, 'warn' | 'info'>) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Sets the listener, which is called with each reason, logged or not. */
  listen(listener: (reason: string) => void): void {
    this.#listener = listener;
  }

  report(reason: string): void {
    this.reason = reason;
    this.#listener(reason);
    const now = this.#clock.now();
    if (this.#loggedAt !== null && now - this.#loggedAt < REMIND_MS) return;
    this.#loggedAt = now;
    this.#logger.warn({ reason }, 'waiting for the store; events with known keys are accepted, reads answer 503');
  }

  over(): void {
    if (this.reason !== null) this.#logger.info('the store is available');
    this.reason = null;
    this.#loggedAt = null;
  }
}

/**
 * Starts the digest thread and opens the main thread's store. Returns when both have the store, or when a store that
 * may come later does not answer yet. Throws when the store refuses permanently.
 */
export async function startStoreSide(options: StoreSideOptions): Promise<StoreSide> {
  const { config, dataDir, clock, logger, metrics, admit } = options;
  const { url } = config.store;
  const { shared } = storeTraits(url);
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<Error>((resolve) => (fail = (error) => resolve(toError(error))));
  const notice = new AwayNotice(clock, logger);
  const thread = new DigestThread({
    spawn: (writes, mayWait) => spawnDigest({ config, dataDir, writes, mayWait }),
    metrics,
  });
  const connection = new ReconnectingStore({
    open: () => openStore({ url, dataDir, writer: thread.writes, migrate: false, maxAgeMs: MAX_AGE_MS }),
    admit,
    waitsFor: shared ? waitsFor(config.store) : [],
    onAway: ({ message }) => notice.report(message),
  });
  const waiting = new Promise<void>((resolve) => {
    notice.listen((reason) => {
      connection.explain(reason);
      resolve();
    });
  });
  thread.start(shared, {
    onAway: (reason) => notice.report(reason),
    onDeath: (err, restartMs) => {
      logger.error(
        { err, restartMs },
        'the digest thread ended unexpectedly and is restarted; no acknowledged event is lost',
      );
    },
    onRestart: () => {
      logger.info('the digest thread runs again');
      notice.over();
      // The writes of an embedded store went through the thread that ended.
      if (!shared) connection.open().catch(fail);
    },
    onRefused: fail,
  });
  const close = async (): Promise<void> => {
    try {
      await connection.close();
    } finally {
      await thread.stop();
    }
  };
  const opened = thread.opened.then(() => connection.open()).then(() => notice.over());
  opened.catch(fail);
  try {
    await Promise.race([opened, waiting]);
  } catch (error) {
    await close();
    throw error;
  }
  const { store } = connection;
  return { store, thread, opened, failed, away: () => notice.reason, damage: () => connection.damage, close };
}

function spawnDigest(input: DigestThreadInput): Worker {
  return createWorker('./digest-worker', import.meta.url, {
    name: 'digest',
    workerData: input,
    transferList: [input.writes],
    resourceLimits: { maxYoungGenerationSizeMb: MAX_YOUNG_MB },
  });
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
