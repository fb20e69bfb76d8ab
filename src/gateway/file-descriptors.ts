import { open } from 'node:fs/promises';
import type { Clock } from '../domain/ports/clock.ts';
import { Periodic } from '../lib/periodic.ts';
import type { Logger } from '../observability/logger.ts';

/** Milliseconds between two looks. The system drops connections that it cannot take without telling the process. */
const LOOK_MS = 5000;
/** Milliseconds between two lines of the log. */
const REMIND_MS = 60_000;

export interface FileDescriptorsOptions {
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  /** Opens a file and closes it again; replaced in tests. */
  readonly probe?: () => Promise<void>;
}

/** Says once, and then every minute, that the process has no file descriptors left to take connections with. */
export class FileDescriptors {
  readonly #options: FileDescriptorsOptions;
  readonly #job = new Periodic({ intervalMs: LOOK_MS, run: () => this.look() });
  #toldAt: number | null = null;

  constructor(options: FileDescriptorsOptions) {
    this.#options = options;
  }

  /** The timer does not keep the process alive. */
  start(): void {
    this.#job.start();
  }

  /** Ends after the look in hand. */
  stop(): Promise<void> {
    return this.#job.stop();
  }

  async look(): Promise<void> {
    try {
      await (this.#options.probe ?? probe)();
    } catch (error) {
      this.failed(error);
      return;
    }
    if (this.#toldAt !== null)
      this.#options.logger.info('file descriptors are available again; connections are accepted');
    this.#toldAt = null;
  }

  /** Looks at an error that something else met. */
  failed(error: unknown): void {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'EMFILE' && code !== 'ENFILE') return;
    const now = this.#options.clock.now();
    if (this.#toldAt !== null && now - this.#toldAt < REMIND_MS) return;
    this.#toldAt = now;
    this.#options.logger.warn(
      { code },
      'out of file descriptors: new connections are dropped; raise the limit of open files (ulimit -n, LimitNOFILE)',
    );
  }
}

async function probe(): Promise<void> {
  await (await open('/dev/null')).close();
}
