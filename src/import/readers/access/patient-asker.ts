import { AppError } from '../../../domain/app-error.ts';
import { BackOff, sleep, type Sleep } from '../../../lib/back-off.ts';
import type { Clock } from '../../../domain/ports/clock.ts';
import type { TrackerReply } from '../../../thirdparty/http/answer.ts';
import type { TrackerClient, TrackerRequest, TrackerTarget } from '../../../thirdparty/http/client.ts';
import { callerGone } from '../../../thirdparty/http/tracker-errors.ts';

/** Attempts of one request while the tracker is away or fails: two to four minutes with the delays below. */
const MAX_ATTEMPTS = 11;
/** Milliseconds from the first failure of a request to its last attempt. */
const PATIENCE_MS = 4 * 60_000;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 60_000;
/** Total milliseconds that one request waits for rate limits; beyond it `tracker_limited`. */
const MAX_LIMITED_MS = 30 * 60_000;

/** Attempts of one request that is answered with something else than JSON: most routes that are answer it always. */
const ODD_ATTEMPTS = 3;
/** Reasons of such answers: a page of a proxy or of a login, or a body that was cut. */
const ODD: ReadonlySet<unknown> = new Set(['html', 'not_json']);
/** Reasons of failures that may pass. Blocked addresses and refused certificates stay as they are. */
const PASSING: ReadonlySet<unknown> = new Set(['timeout', 'socket', 'refused', 'http', 'unresolvable', 'other']);

/** What requests wait for. */
export interface ReadTrouble {
  /** `away`: no answer, or 5xx. `limited`: the tracker limits requests. */
  readonly kind: 'away' | 'limited';
  readonly reason: string;
  /** Time of the next attempt for `limited`, of the last attempt at the latest for `away`. */
  readonly until: number;
}

export interface PatientAskerDeps {
  readonly client: Pick<TrackerClient, 'request'>;
  readonly target: TrackerTarget;
  readonly clock: Clock;
  /** Called before each wait, and with null after the next answer. */
  readonly onTrouble?: (trouble: ReadTrouble | null) => void;
  /** Waits for the turn of each request; default: none. */
  readonly pace?: (signal: AbortSignal) => Promise<void>;
  /** Default: timers. */
  readonly sleep?: Sleep;
  /** 0 (inclusive) to 1 (exclusive); default `Math.random`. */
  readonly random?: () => number;
}

export interface PatientRequest extends Pick<TrackerRequest, 'path' | 'query'> {
  readonly signal: AbortSignal;
  /** Fewer attempts for routes on which the tracker fails for unknown things; default 11. */
  readonly attempts?: number;
}

const trackerFails = (status: number): string => `it answers with status ${status}`;

/**
 * Reads from a tracker for an import: repeats after 5xx and network failures with growing delays, and waits for rate
 * limits. An answer that is not JSON is requested three times. Returns refusals, and the last 5xx. Throws AppError;
 * `tracker_unreachable` with the reason `aborted` after the signal.
 */
export class PatientAsker {
  readonly #deps: PatientAskerDeps;
  readonly #sleep: Sleep;
  #isTroubled = false;

  constructor(deps: PatientAskerDeps) {
    this.#deps = deps;
    this.#sleep = deps.sleep ?? sleep;
  }

  async ask({ attempts = MAX_ATTEMPTS, ...request }: PatientRequest): Promise<TrackerReply> {
    const { client, target, clock, pace, random = Math.random } = this.#deps;
    const backOff = new BackOff({ firstMs: FIRST_DELAY_MS, maxMs: MAX_DELAY_MS, random });
    let limitedMs = 0;
    let until: number | null = null;
    const mayRepeat = (): boolean => backOff.attempts + 1 < attempts && clock.now() < (until ?? Infinity);
    const away = (reason: string): number => {
      until ??= clock.now() + PATIENCE_MS;
      // Short waits on routes that fail for unknown things are none of the tracker as a whole.
      if (attempts === MAX_ATTEMPTS) this.#troubled({ kind: 'away', reason, until });
      return Math.min(backOff.next(), Math.max(0, until - clock.now()));
    };
    for (;;) {
      let delay: number;
      try {
        await pace?.(request.signal);
        const reply = await client.request(target, request);
        if (reply.status < 500) this.#troubled(null);
        if (reply.status < 500 || !mayRepeat()) return reply;
        delay = away(trackerFails(reply.status));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (error.code === 'tracker_limited') {
          delay = (error.retryAfterSeconds ?? 1) * 1000;
          limitedMs += delay;
          if (limitedMs > MAX_LIMITED_MS) throw error;
          this.#troubled({ kind: 'limited', reason: error.message, until: clock.now() + delay });
        } else if (ODD.has(error.details?.reason) && backOff.attempts + 1 < Math.min(attempts, ODD_ATTEMPTS)) {
          delay = backOff.next();
        } else if (PASSING.has(error.details?.reason) && mayRepeat()) {
          delay = away(error.message);
        } else {
          throw error;
        }
      }
      await this.#sleep(delay, request.signal);
      if (request.signal.aborted) throw callerGone();
    }
  }

  #troubled(trouble: ReadTrouble | null): void {
    if (trouble === null && !this.#isTroubled) return;
    this.#isTroubled = trouble !== null;
    this.#deps.onTrouble?.(trouble);
  }
}
