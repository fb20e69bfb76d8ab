import { statfs } from 'node:fs/promises';
import { Periodic } from '../../../lib/periodic.ts';
import type { Logger } from '../../../observability/logger.ts';

export interface DiskGuardOptions {
  /** Path on the file system that holds the journal. */
  readonly path: string;
  /** Free bytes below which nothing is accepted. 0: no bound. */
  readonly minFreeBytes: number;
  /** Logs once when the journal must stop growing, and once when it may grow again. */
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  /** Returns the bytes an unprivileged user may still write; replaced in tests. */
  readonly freeBytes?: (path: string) => Promise<number>;
}

const INTERVAL_MS = 1000;

/** Watches the free disk space, every second. Stops the journal from growing while it is too low. */
export class DiskGuard {
  readonly #options: DiskGuardOptions;
  readonly #freeBytes: (path: string) => Promise<number>;
  #reason: string | null = null;
  #free: number | null = null;
  readonly #job: Periodic;

  constructor(options: DiskGuardOptions) {
    this.#options = options;
    this.#freeBytes = options.freeBytes ?? freeBytes;
    this.#job = new Periodic({
      intervalMs: INTERVAL_MS,
      run: async () => {
        await this.check();
      },
    });
  }

  /** Checks once, then every second. The timer does not keep the process alive. */
  async start(): Promise<void> {
    await this.check();
    this.#job.start();
  }

  /** Stops after a running check. */
  stop(): Promise<void> {
    return this.#job.stop();
  }

  /** Returns the reason why nothing may be written, as a sentence; null when writing is allowed. */
  reason(): string | null {
    return this.#reason;
  }

  /** Returns the free bytes at the last check; null: they are unknown. */
  free(): number | null {
    return this.#free;
  }

  /** Checks now. A failed query does not stop the intake: the write itself reports the problem. */
  async check(): Promise<string | null> {
    const { path, minFreeBytes, logger } = this.#options;
    let free = Infinity;
    try {
      free = await this.#freeBytes(path);
    } catch {
      // A failing disk makes the write itself fail.
    }
    this.#free = free === Infinity ? null : free;
    const before = this.#reason;
    this.#reason =
      free < minFreeBytes
        ? `Free disk (${free} bytes) is below journal.minFreeDiskBytes (${minFreeBytes}); free some space, then send again.`
        : null;
    if (before === null && this.#reason !== null) {
      logger.warn(
        { free_bytes: free, min_free_bytes: minFreeBytes },
        'disk almost full: events are refused; free some space',
      );
    }
    if (before !== null && this.#reason === null) logger.info('the disk has enough space again: events are accepted');
    return this.#reason;
  }
}

async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}
