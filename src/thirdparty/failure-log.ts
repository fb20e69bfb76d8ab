import { LRUCache } from 'lru-cache';
import type { AppError } from '../domain/app-error.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { Logger } from '../observability/logger.ts';
import { trackerDetails } from './http/tracker-errors.ts';

/** Milliseconds in which repeated failures of a host are logged once. */
const QUIET_MS = 600_000;
/** Maximum of remembered hosts: Connect accepts any host. */
const MAX_HOSTS = 1000;

interface LoggedFailure {
  readonly at: number;
  failing: boolean;
}

/** Logs the start and the end of an outage of a tracker, not each request. */
export class FailureLog {
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #hosts = new LRUCache<string, LoggedFailure>({ max: MAX_HOSTS });

  constructor(logger: Logger, clock: Clock) {
    this.#logger = logger;
    this.#clock = clock;
  }

  /** Records the end of a request. `failure`: null when the tracker answered. The message contains no token. */
  finished(host: string, failure: AppError | null): void {
    const entry = this.#hosts.get(host);
    if (failure === null) {
      if (entry?.failing !== true) return;
      entry.failing = false;
      this.#logger.info({ host }, 'the third-party tracker answers again');
      return;
    }
    const now = this.#clock.now();
    if (entry !== undefined && now - entry.at < QUIET_MS) return;
    this.#hosts.set(host, { at: now, failing: true });
    const { code, message } = failure;
    const details = trackerDetails(failure);
    this.#logger.warn(
      { host, code, reason: details?.reason, status: details?.status },
      `a third-party tracker fails; further failures within ten minutes are counted but not logged: ${message}`,
    );
  }
}
