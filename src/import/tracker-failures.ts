import { AppError } from '../domain/app-error.ts';
import { trackerDetails } from '../thirdparty/tracker-errors.ts';
import { BackOff, type Sleep } from '../lib/back-off.ts';

/** Repeats of a request after network failures, 5xx and limits, beyond those of the client. */
const MAX_REPEATS = 5;
const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 60_000;

/** Returns true for a failure that may pass: the tracker is away, slow or limits requests. */
function mayPass(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === 'tracker_unreachable' || error.code === 'tracker_limited');
}

/** Returns true for a failure of one part alone: the import goes on without it. */
export function isPartial(error: unknown): error is AppError {
  if (!(error instanceof AppError)) return false;
  if (error.code === 'tracker_invalid_answer' || error.code === 'bad_request') return true;
  return error.code === 'tracker_refused' && trackerDetails(error)?.status !== 401;
}

/** Returns true when the token may not read a part. */
export function isForbidden(error: unknown): boolean {
  return error instanceof AppError && error.code === 'tracker_refused' && trackerDetails(error)?.status === 403;
}

/** Returns true when the tracker has no such row or route. */
export function isAbsent(error: unknown): boolean {
  return error instanceof AppError && error.code === 'tracker_refused' && trackerDetails(error)?.status === 404;
}

/** Scopes of a token that parts need, by the names of Sentry, which GlitchTip and Urgentry use too. */
const SCOPES = {
  projects: 'org:read and project:read',
  keys: 'project:read',
  issues: 'event:read',
  events: 'event:read',
  comments: 'event:read',
  reports: 'event:read',
  releases: 'project:releases',
  alerts: 'alerts:read',
} as const;
export type ReadPart = keyof typeof SCOPES;

/** Describes why a part is left out, with the scope that the token lacks. */
export function reasonOf(error: AppError, part: ReadPart): string {
  return isForbidden(error) ? `the token lacks the scope ${SCOPES[part]}: ${error.message}` : error.message;
}

/** Waits between repeats while the tracker does not answer; throws the failure when it lasts. */
export class Patience {
  readonly #sleep: Sleep;
  readonly #signal: AbortSignal;
  readonly #backOff = new BackOff({ firstMs: FIRST_WAIT_MS, maxMs: MAX_WAIT_MS, random: Math.random });

  constructor(sleep: Sleep, signal: AbortSignal) {
    this.#sleep = sleep;
    this.#signal = signal;
  }

  /** Returns when a repeat is due; throws the error when it will not help. */
  async after(error: unknown): Promise<void> {
    if (this.#signal.aborted || !mayPass(error) || this.#backOff.attempts >= MAX_REPEATS) throw error;
    await this.#sleep(Math.max(this.#backOff.next(), 1000 * (error.retryAfterSeconds ?? 0)), this.#signal);
    this.#signal.throwIfAborted();
  }

  /** Begins to count again after a success. */
  reset(): void {
    this.#backOff.reset();
  }
}

/** Runs a request, repeated while the tracker does not answer. */
export async function patiently<T>(sleep: Sleep, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const patience = new Patience(sleep, signal);
  for (;;) {
    try {
      return await work();
    } catch (error) {
      await patience.after(error);
    }
  }
}
