import type { Clock } from '../../domain/ports/clock.ts';
import { MAX_RANKED, type ListStore } from '../../domain/ports/stores/list-store.ts';
import { RANKS_EVERY_MS } from '../../domain/search/error-query.ts';
import type { Periodic } from '../../lib/periodic.ts';
import type { Logger } from '../../observability/logger.ts';
import { createRetriedJob } from '../../observability/retried-job.ts';

export interface RankJobOptions {
  readonly store: Pick<ListStore, 'rankErrors'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  /** Milliseconds between the end of one run and the next; default RANKS_EVERY_MS. */
  readonly intervalMs?: number;
}

/** Maximum calls of one run, so that a run ends also while more errors change than are ranked. */
const MAX_CALLS = 100;

/** An early run waits for this multiple of the time that the last run took: early runs take 5 % of the time at most. */
const REST = 19;

/**
 * Keeps the order `matters` and the totals of ranges. Every gateway runs it: a run without changes is a look into small
 * indexes. Logs an unavailable store once; the next run goes on.
 */
export class RankJob {
  readonly #job: Periodic;
  /** Time before which no early run begins, in milliseconds of the process. */
  #restsUntil = 0;
  #early: NodeJS.Timeout | null = null;
  #running = false;
  /** Whether an early run was asked for during a run, which may have passed what it is about. */
  #again = false;
  #stopped = false;

  constructor({ store, clock, logger, intervalMs = RANKS_EVERY_MS }: RankJobOptions) {
    this.#job = createRetriedJob({
      intervalMs,
      run: () => this.#run(store, clock),
      logger,
      failure: 'the order of errors could not be brought up to date; this is retried',
    });
  }

  start(): void {
    this.#job.start();
  }

  /** Runs now, or joins the current run; never rejects. */
  run(): Promise<void> {
    return this.#job.run();
  }

  /** Runs as soon as the last run is long enough ago, because the place of an error has changed much. */
  soon(): void {
    if (this.#running) this.#again = true;
    else if (!this.#stopped) {
      const wait = Math.max(0, this.#restsUntil - performance.now());
      this.#early ??= setTimeout(() => void this.run(), wait).unref();
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#early ?? undefined);
    await this.#job.stop();
  }

  async #run(store: RankJobOptions['store'], clock: Clock): Promise<void> {
    const begin = performance.now();
    clearTimeout(this.#early ?? undefined);
    this.#early = null;
    this.#running = true;
    try {
      for (let calls = 0; calls < MAX_CALLS; calls += 1) {
        if ((await store.rankErrors(clock.now())) < MAX_RANKED) break;
      }
    } finally {
      const end = performance.now();
      this.#restsUntil = end + REST * (end - begin);
      this.#running = false;
      if (this.#again) {
        this.#again = false;
        this.soon();
      }
    }
  }
}
