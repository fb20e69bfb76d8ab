import { AppError } from '../../domain/app-error.ts';
import { BackOff, sleep, type Sleep } from '../../lib/back-off.ts';
import type { TrackerReply } from '../../thirdparty/answer.ts';
import type { TrackerClient, TrackerRequest, TrackerTarget } from '../../thirdparty/client.ts';
import { callerGone } from '../../thirdparty/tracker-errors.ts';

/** Attempts of one request while the tracker is away or fails: about four minutes with the delays below. */
const MAX_ATTEMPTS = 9;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 60_000;
/** Total milliseconds that one request waits for rate limits; beyond it `tracker_limited`. */
const MAX_LIMITED_MS = 30 * 60_000;

/** Reasons of failures that may pass. Blocked addresses and refused certificates stay as they are. */
const PASSING: ReadonlySet<unknown> = new Set(['timeout', 'socket', 'refused', 'http', 'unresolvable', 'other']);

export interface PatientAskerDeps {
  readonly client: Pick<TrackerClient, 'request'>;
  readonly target: TrackerTarget;
  /** Default: timers. */
  readonly sleep?: Sleep;
  /** 0 (inclusive) to 1 (exclusive); default `Math.random`. */
  readonly random?: () => number;
}

export interface PatientRequest extends Pick<TrackerRequest, 'path' | 'query'> {
  readonly signal: AbortSignal;
  /** Fewer attempts for routes on which the tracker fails for unknown things; default 9. */
  readonly attempts?: number;
}

/**
 * Reads from a tracker for an import: repeats after 5xx and network failures with growing delays, and waits for rate
 * limits. Returns refusals, and the last 5xx. Throws AppError; `tracker_unreachable` with the reason `aborted` after
 * the signal.
 */
export class PatientAsker {
  readonly #deps: PatientAskerDeps;
  readonly #sleep: Sleep;

  constructor(deps: PatientAskerDeps) {
    this.#deps = deps;
    this.#sleep = deps.sleep ?? sleep;
  }

  async ask({ attempts = MAX_ATTEMPTS, ...request }: PatientRequest): Promise<TrackerReply> {
    const { client, target, random = Math.random } = this.#deps;
    const backOff = new BackOff({ firstMs: FIRST_DELAY_MS, maxMs: MAX_DELAY_MS, random });
    let limitedMs = 0;
    for (;;) {
      const isLast = backOff.attempts + 1 >= attempts;
      let delay: number;
      try {
        const reply = await client.request(target, request);
        if (reply.status < 500 || isLast) return reply;
        delay = backOff.next();
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (error.code === 'tracker_limited') {
          delay = (error.retryAfterSeconds ?? 1) * 1000;
          limitedMs += delay;
          if (limitedMs > MAX_LIMITED_MS) throw error;
        } else if (PASSING.has(error.details?.reason) && !isLast) {
          delay = backOff.next();
        } else {
          throw error;
        }
      }
      await this.#sleep(delay, request.signal);
      if (request.signal.aborted) throw callerGone();
    }
  }
}
