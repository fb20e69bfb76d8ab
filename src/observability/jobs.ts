import type { Lease } from '../lib/lease.ts';
import { Periodic, type PeriodicOptions } from '../lib/periodic.ts';
import { within } from '../lib/within.ts';
import { FailureLog } from './failure-log.ts';
import type { Logger } from './logger.ts';

/** Work that a process repeats. */
export interface Job extends Pick<PeriodicOptions, 'intervalMs' | 'run' | 'rest'> {
  readonly name: string;
  /**
   * Held at the begin of each run: a process without it does not run. Given back after a failed run, because another
   * process may succeed. Absent or null: every process runs.
   */
  readonly lease?: Pick<Lease, 'hold' | 'release'> | null;
  /** Message of a failed run, logged once until a run succeeds. Absent: the next run makes up for it. */
  readonly failure?: string;
  /** True: the first run does not wait for the interval. */
  readonly atOnce?: boolean;
  /** Called after the last run of a job that was started. Errors are ignored. */
  readonly end?: () => Promise<void>;
  /** Maximum milliseconds that a stop waits for the last run and `end`. Default: no maximum. */
  readonly stopMs?: number;
}

/** Runs the jobs of a table until they are stopped. */
export class Jobs {
  readonly #jobs: readonly (readonly [job: Job, periodic: Periodic])[];
  #state: 'new' | 'live' | 'stopped' = 'new';

  constructor(table: readonly Job[], logger: Pick<Logger, 'warn'>) {
    this.#jobs = table.map((job) => [job, periodicOf(job, logger)] as const);
  }

  /** Starts all jobs. Call it when the store is available. Ignored after `stop`. */
  start(): void {
    if (this.#state !== 'new') return;
    this.#state = 'live';
    for (const [{ atOnce = false }, periodic] of this.#jobs) {
      periodic.start();
      if (atOnce) void periodic.run();
    }
  }

  /** Runs a job before its interval is over; see `Periodic`. */
  soon(name: string): void {
    this.#jobs.find(([job]) => job.name === name)?.[1].soon();
  }

  /** Stops all jobs together. Resolves after the runs in progress, which get an aborted signal. */
  async stop(): Promise<void> {
    const wasLive = this.#state === 'live';
    this.#state = 'stopped';
    await Promise.all(
      this.#jobs.map(([job, periodic]) => {
        const end = async (): Promise<void> => {
          await periodic.stop();
          if (!wasLive) return;
          await job.end?.().catch(() => undefined);
          await giveBack(job.lease);
        };
        return job.stopMs === undefined ? end() : within(job.stopMs, end, () => undefined);
      }),
    );
  }
}

/** Milliseconds that a stop waits for a store to release a lease, which ends by itself otherwise. */
const RELEASE_MS = 1000;

/** Releases a lease. Errors are ignored: it then ends by itself. */
async function giveBack(lease: Job['lease']): Promise<void> {
  if (!lease) return;
  await within(
    RELEASE_MS,
    () => lease.release().catch(() => undefined),
    () => undefined,
  );
}

function periodicOf({ intervalMs, run, rest = 0, lease, failure }: Job, logger: Pick<Logger, 'warn'>): Periodic {
  const log = failure === undefined ? null : new FailureLog(logger, failure);
  const runHeld = async (signal: AbortSignal): Promise<void> => {
    try {
      await run(signal);
    } catch (error) {
      await giveBack(lease);
      throw error;
    }
  };
  return new Periodic({
    intervalMs,
    rest,
    async run(signal) {
      if ((await lease?.hold()) !== 'not_held') await runHeld(signal);
      log?.succeeded();
    },
    onError: (error) => log?.failed(error),
  });
}
