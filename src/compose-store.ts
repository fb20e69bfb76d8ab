import type { Config } from '../config/schema.ts';
import { DigestThread, type spawnDigest } from './digest-thread.ts';
import type { AppError } from './domain/app-error.ts';
import type { Clock } from './domain/ports/clock.ts';
import type { Store } from './domain/ports/store.ts';
import type { DigestProgress } from './integrated/digest/loop/digest-loop-options.ts';
import { LateStore } from './late-store.ts';
import type { Logger } from './observability/logger.ts';
import type { Metrics } from './observability/metrics.ts';
import { openStore } from './storage/open-store.ts';
import { storeTraits } from './storage/store-traits.ts';

export interface StoreSideOptions {
  readonly config: Config;
  /** Absolute. */
  readonly dataDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Looks at the opened store before anybody uses it; throws to refuse it. */
  readonly admit: (store: Store) => Promise<void>;
  readonly onProgress: (progress: DigestProgress) => void;
  /** The store will not do, although the service runs already. */
  readonly onRefused: (error: Error) => void;
  /** Replaced in tests that let the digest thread die. */
  readonly spawnDigest?: typeof spawnDigest | undefined;
}

export interface StoreSide {
  /** There is a store behind it once `opened` has resolved; until then calls fail with `store_unavailable`. */
  readonly store: Store;
  readonly thread: DigestThread;
  readonly opened: Promise<void>;
  /** Why the store is waited for; null when it is not. */
  readonly away: () => string | null;
  readonly close: () => Promise<void>;
}

/** How long projects, roles and settings are believed without asking the store: half of the 2 s promised to operators. */
const MAX_AGE_MS = 1000;

/** Milliseconds between two lines of the log about one absence. */
const REMIND_MS = 60_000;

/** Says once, and then every minute, that the store is waited for. */
class AwayNotice {
  readonly #clock: Clock;
  readonly #logger: Pick<Logger, 'warn' | 'info'>;
  #toldAt: number | null = null;
  reason: string | null = null;

  constructor(clock: Clock, logger: Pick<Logger, 'warn' | 'info'>) {
    this.#clock = clock;
    this.#logger = logger;
  }

  tell(reason: string): void {
    this.reason = reason;
    const now = this.#clock.now();
    if (this.#toldAt !== null && now - this.#toldAt < REMIND_MS) return;
    this.#toldAt = now;
    this.#logger.warn({ reason }, 'waiting for the store; events with known keys are accepted, reads answer 503');
  }

  over(): void {
    if (this.reason !== null) this.#logger.info('the store is available');
    this.reason = null;
    this.#toldAt = null;
  }
}

/**
 * Starts the digest thread and opens the main thread's store. Returns when both have the store, or when it is
 * one that may come later and does not answer yet. Throws when the store will never do.
 */
export async function startStoreSide(options: StoreSideOptions): Promise<StoreSide> {
  const { config, dataDir, clock, logger, metrics, admit, onProgress, onRefused } = options;
  const { url } = config.store;
  const { shared } = storeTraits(url);
  const notice = new AwayNotice(clock, logger);
  let goOn: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => (goOn = resolve));
  const onAway = (reason: string): void => {
    notice.tell(reason);
    late.explain(reason);
    goOn();
  };
  const thread = new DigestThread({
    config,
    dataDir,
    mayWait: shared,
    metrics,
    onProgress,
    onAway,
    onDeath: (err, restartMs) => {
      logger.error(
        { err, restartMs },
        'the digest thread ended unexpectedly and is restarted; no acknowledged event is lost',
      );
    },
    onRestart: () => {
      logger.info('the digest thread runs again');
      notice.over();
      // The writes of a store that is a file went through the thread that died.
      if (!shared) late.open().catch(onRefused);
    },
    onRefused,
    ...(options.spawnDigest === undefined ? {} : { spawn: options.spawnDigest }),
  });
  const late = new LateStore({
    open: () => openStore({ url, dataDir, writer: thread.writes, migrate: false, maxAgeMs: MAX_AGE_MS }),
    admit,
    mayWait: shared,
    onAway: (error: AppError) => onAway(error.message),
  });
  const close = async (): Promise<void> => {
    try {
      await late.close();
    } finally {
      await thread.stop();
    }
  };
  const opened = thread.opened.then(() => late.open()).then(() => notice.over());
  try {
    await Promise.race([opened, waiting]);
  } catch (error) {
    await close();
    throw error;
  }
  return { store: late.store, thread, opened, away: () => notice.reason, close };
}
