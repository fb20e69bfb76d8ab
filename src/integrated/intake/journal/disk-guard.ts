import { statfs } from 'node:fs/promises';
import { Periodic } from '../../../lib/periodic.ts';
import type { Logger } from '../../../observability/logger.ts';

export interface DiskGuardOptions {
  /** A path on the file system that holds the journal. */
  readonly path: string;
  /** Below this nothing more is taken. 0: never. */
  readonly minFreeBytes: number;
  /** Hears once when the journal must not grow any more, and once when it may again. */
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  /** Bytes that an ordinary user may still write; replaced in tests. */
  readonly freeBytes?: (path: string) => Promise<number>;
}

const INTERVAL_MS = 1000;

/** Knows, at most a second late, whether the disk is so full that the journal must not grow. */
export class DiskGuard {
  readonly #options: DiskGuardOptions;
  readonly #freeBytes: (path: string) => Promise<number>;
  #reason: string | null = null;
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

  /** Looks once, then every second; the timer does not keep the process alive. */
  async start(): Promise<void> {
    await this.check();
    this.#job.start();
  }

  /** Ends after the look in hand. */
  stop(): Promise<void> {
    return this.#job.stop();
  }

  /** A sentence why nothing may be written, or null. */
  reason(): string | null {
    return this.#reason;
  }

  /** Looks now. A file system that cannot be asked does not stop the intake: the write itself will tell. */
  async check(): Promise<string | null> {
    const { path, minFreeBytes, logger } = this.#options;
    let free = Infinity;
    try {
      free = await this.#freeBytes(path);
    } catch {
      // The write itself fails where the disk does.
    }
    const before = this.#reason;
    this.#reason =
      free < minFreeBytes
        ? `Free disk (${free} bytes) is below journal.minFreeDiskBytes (${minFreeBytes}); make room, then send again.`
        : null;
    if (before === null && this.#reason !== null) {
      logger.warn(
        { free_bytes: free, min_free_bytes: minFreeBytes },
        'disk almost full: events are refused; make room',
      );
    }
    if (before !== null && this.#reason === null) logger.info('the disk has room again: events are accepted');
    return this.#reason;
  }
}

async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}
