import { open } from 'node:fs/promises';
import type { Clock } from '../../domain/ports/clock.ts';
import { Periodic } from '../../lib/periodic.ts';
import type { Logger } from '../../observability/logger.ts';

/** Milliseconds between two checks. The process gets no notice of connections that the system drops. */
const LOOK_MS = 5000;
/** Milliseconds between two log lines. */
const REMIND_MS = 60_000;

export interface FileDescriptorsOptions {
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  /** Opens a file and closes it again; replaced in tests. */
  readonly probe?: () => Promise<void>;
}

/** Logs at once, and then every minute, that the process has no file descriptors left for connections. */
export class FileDescriptors {
  readonly #options: FileDescriptorsOptions;
  readonly #job = new Periodic({ intervalMs: LOOK_MS, run: () => this.look() });
  #loggedAt: number | null = null;

  constructor(options: FileDescriptorsOptions) {
    this.#options = options;
  }

  /** Starts the checks; the timer does not keep the process alive. */
  start(): void {
    this.#job.start();
  }

  /** Stops the checks, after the running one. */
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
    if (this.#loggedAt !== null)
      this.#options.logger.info('file descriptors are available again; connections are accepted');
    this.#loggedAt = null;
  }

  /** Checks an error of another operation for missing file descriptors. */
  failed(error: unknown): void {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'EMFILE' && code !== 'ENFILE') return;
    const now = this.#options.clock.now();
    if (this.#loggedAt !== null && now - this.#loggedAt < REMIND_MS) return;
    this.#loggedAt = now;
    this.#options.logger.warn(
      { code },
      'out of file descriptors: new connections are dropped; raise the limit of open files (ulimit -n, LimitNOFILE)',
    );
  }
}

async function probe(): Promise<void> {
  await (await open('/dev/null')).close();
}
