import { AppError, logFields } from '../../domain/app-error.ts';
import { BackOff } from '../../lib/back-off.ts';
import type { Logger } from '../../observability/logger.ts';
import { pollProject, type PollProjectDeps, type PollResult } from './poll-project.ts';

/** `limited`: the tracker takes no requests now. `failed`: it is away or refuses, or the store is away. */
export type PollReport = PollResult['outcome'] | 'limited' | 'failed';

export interface ProjectPollsDeps extends PollProjectDeps {
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Milliseconds since any time; never set. */
  readonly steady: () => number;
  /** 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
  /** Milliseconds between two polls of a project. */
  readonly intervalMs: number;
  /** Called after each poll. */
  readonly observe?: (report: PollReport) => void;
}

/** Maximum milliseconds between two polls of a project while they fail. */
const MAX_BACK_OFF_MS = 1_800_000;
/** Consecutive polls that may be limited before a warning. */
const LIMITS_BEFORE_WARNING = 3;

/** Polls of one project: when the next one is due, and how long failures delay it. */
export class ProjectPolls {
  readonly #deps: ProjectPollsDeps;
  readonly #projectId: number;
  /** Link and token; a change is polled at once. */
  readonly #mark: string;
  readonly #backOff: BackOff;
  readonly #stopping = new AbortController();
  #dueAt: number;
  #running: Promise<void> | null = null;
  #deeper: string | null = null;
  #warned = false;

  /** The first poll is due within `spreadMs`, so that many projects do not poll together. */
  constructor(deps: ProjectPollsDeps, projectId: number, mark: string, spreadMs: number) {
    const { intervalMs, steady, random } = deps;
    this.#deps = deps;
    this.#projectId = projectId;
    this.#mark = mark;
    this.#backOff = new BackOff({ firstMs: 2 * intervalMs, maxMs: MAX_BACK_OFF_MS, random });
    this.#dueAt = steady() + random() * spreadMs;
  }

  get mark(): string {
    return this.#mark;
  }

  get running(): Promise<void> | null {
    return this.#running;
  }

  get isDue(): boolean {
    return this.#running === null && this.#deps.steady() >= this.#dueAt;
  }

  /** Starts a poll; it never rejects. */
  start(): void {
    this.#running ??= this.#poll().finally(() => (this.#running = null));
  }

  /** Ends a running poll before it writes. Resolves when it has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #poll(): Promise<void> {
    const { observe, steady, intervalMs, logger } = this.#deps;
    const { signal } = this.#stopping;
    try {
      const result = await pollProject(this.#deps, this.#projectId, this.#deeper, signal);
      this.#deeper = result.deeper;
      this.#dueAt = steady() + intervalMs;
      if (this.#warned) {
        this.#warned = false;
        logger.info({ projectId: this.#projectId }, 'the tracker of a project is polled for alerts again');
      }
      this.#backOff.reset();
      observe?.(result.outcome);
    } catch (error) {
      if (signal.aborted) return;
      this.#failed(error);
      observe?.(error instanceof AppError && error.code === 'tracker_limited' ? 'limited' : 'failed');
    }
  }

  #failed(error: unknown): void {
    const { steady, logger } = this.#deps;
    const pauseMs = pauseOf(error);
    this.#dueAt = steady() + Math.max(this.#backOff.next(), pauseMs);
    // A tracker that limits is no trouble, unless it goes on.
    if (this.#warned || (pauseMs > 0 && this.#backOff.attempts < LIMITS_BEFORE_WARNING)) return;
    this.#warned = true;
    logger.warn(
      { ...logFields(error), projectId: this.#projectId },
      'the tracker of a project cannot be polled for alerts; this is retried with growing delays of at most 30 minutes',
    );
  }
}

/** Milliseconds for which the tracker wants no requests. */
function pauseOf(error: unknown): number {
  if (!(error instanceof AppError) || error.code !== 'tracker_limited') return 0;
  const { retryAfterSeconds = 0, details } = error;
  const asked = details !== undefined && 'pauseSeconds' in details ? (details.pauseSeconds ?? 0) : 0;
  return Math.max(retryAfterSeconds, asked) * 1000;
}
