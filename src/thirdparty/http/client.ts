import { setTimeout as delay } from 'node:timers/promises';
import PQueue from 'p-queue';
import { AppError } from '../../domain/app-error.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import { readAnswer, type RawAnswer, type TrackerReply } from './answer.ts';
import { outcomeOfFailure, outcomeOfStatus, type Attempt, type AttemptOutcome } from './attempt.ts';
import { authorize } from './authorization.ts';
import { exchange, keptConnections, type Connections, type ExchangeSettings } from './exchange.ts';
import { blocked, networkFailure, serverTrouble } from './network-failure.ts';
import { limited, limitPause, limitWait } from './rate-limit.ts';
import { isCallerGone } from './tracker-errors.ts';
import type { UrlGuard } from '../guard/url-guard.ts';
import { askWithin } from './ask-within.ts';

/** Times in milliseconds. */
export interface ClientSettings extends ExchangeSettings {
  /** Total, including waiting and retries. */
  readonly totalTimeoutMs: number;
  /** Maximum wait for a limiting tracker; beyond it `tracker_limited` without delay. */
  readonly maxLimitWaitMs: number;
  /** Delay before the single retry of a failed read. */
  readonly retryDelayMs: number;
  readonly maxInFlightPerHost: number;
  /** Maximum of queued requests per host; beyond it `tracker_limited`. */
  readonly maxWaitingPerHost: number;
}

export const DEFAULT_CLIENT_SETTINGS: ClientSettings = {
  maxResponseBytes: 5 * 1024 * 1024,
  lookupTimeoutMs: 15_000,
  connectTimeoutMs: 10_000,
  tlsTimeoutMs: 10_000,
  responseTimeoutMs: 20_000,
  totalTimeoutMs: 30_000,
  maxLimitWaitMs: 5000,
  retryDelayMs: 250,
  maxInFlightPerHost: 5,
  maxWaitingPerHost: 200,
};

/** Address and credentials of a tracker. One object per setting, because rate limits are stored with it. */
export interface TrackerTarget {
  /** Scheme, host, port and sub-path; no trailing slash. */
  readonly baseUrl: string;
  /** Decrypts the token; called for each request and never cached. Null: anonymous. */
  readonly token: () => string | null;
}

export interface TrackerRequest {
  /** Default: GET. */
  readonly method?: 'GET' | 'PUT';
  /** Path below the base, with leading and trailing slash; the caller encodes segments. */
  readonly path: string;
  readonly query?: readonly (readonly [name: string, value: string])[];
  /** JSON. */
  readonly body?: object;
  /** Aborts the request when the caller disconnects. */
  readonly signal?: AbortSignal;
}

export interface TrackerClientDeps {
  readonly guard: UrlGuard;
  readonly clock: Clock;
  readonly settings?: Partial<ClientSettings>;
  /** Resolves after the time; rejects when the signal is aborted. Default: timers. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Called after every attempt. */
  readonly observe?: (attempt: Attempt) => void;
  /** Called once per request: null when the host answered, else the failure. Not called for aborted requests. */
  readonly finished?: (host: string, failure: AppError | null) => void;
}

/** Pending request. */
interface Question {
  readonly target: TrackerTarget;
  readonly url: URL;
  readonly method: 'GET' | 'PUT';
  readonly isRead: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly caller: AbortSignal | undefined;
  /** Aborted by the caller, or by the total timeout. */
  readonly signal: AbortSignal;
}

const RETRIED_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);
const RETRIED_REASONS: ReadonlySet<unknown> = new Set(['socket', 'refused', 'http']);

/** Converts every failure to an AppError. */
const failureOf = (error: unknown, { host }: URL): AppError =>
  error instanceof AppError ? error : networkFailure(error, host);

/**
 * HTTP client for external trackers. It never follows redirects, bounds time and size, and sends the token only in the
 * header. HTTP refusals are returned; other failures are thrown as AppError with a `tracker_…` code. Shared by all
 * settings of the process.
 */
export class TrackerClient {
  readonly #deps: TrackerClientDeps;
  readonly #settings: ClientSettings;
  /** Queues of hosts with running or waiting requests. */
  readonly #queues = new Map<string, PQueue>();
  readonly #heldUntil = new WeakMap<TrackerTarget, number>();
  /** Ends of the pauses that limiting trackers asked for. */
  readonly #pausedUntil = new WeakMap<TrackerTarget, number>();
  readonly #wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly #connections: Connections;

  constructor(deps: TrackerClientDeps) {
    this.#deps = deps;
    this.#settings = { ...DEFAULT_CLIENT_SETTINGS, ...deps.settings };
    this.#wait = deps.wait ?? ((ms, signal) => delay(ms, undefined, { signal, ref: false }));
    this.#connections = keptConnections(this.#settings.maxInFlightPerHost);
  }

  /** Ends idle connections. */
  close(): void {
    this.#connections.http.destroy();
    this.#connections.https.destroy();
  }

  async request(target: TrackerTarget, request: TrackerRequest): Promise<TrackerReply> {
    const url = new URL(target.baseUrl + request.path);
    for (const [name, value] of request.query ?? []) url.searchParams.append(name, value);
    try {
      const reply = await this.#ask(target, request, url);
      this.#deps.finished?.(url.host, reply.status >= 500 ? serverTrouble(url.host, reply.status) : null);
      return reply;
    } catch (error) {
      const failure = failureOf(error, url);
      if (!isCallerGone(failure)) this.#deps.finished?.(url.host, failure);
      throw failure;
    }
  }

  async #ask(target: TrackerTarget, request: TrackerRequest, url: URL): Promise<TrackerReply> {
    const refusal = this.#deps.guard.refusal(url.href);
    if (refusal !== null) throw blocked(url.host, refusal);
    const { token, headers } = authorize(target.token);
    const { method = 'GET', signal: caller } = request;
    const body = request.body === undefined ? null : JSON.stringify(request.body);
    const answer = await askWithin(url.host, this.#settings.totalTimeoutMs, caller, (signal) =>
      this.#withRepeat({ target, url, method, isRead: method === 'GET', headers, body, caller, signal }),
    );
    return readAnswer(answer, url.host, token);
  }

  /** Retries reads once after a network failure or a rate limit; never retries writes. */
  async #withRepeat(question: Question): Promise<RawAnswer> {
    const { target, url, isRead, signal } = question;
    for (let mayRepeat = isRead; ; mayRepeat = false) {
      let answer: RawAnswer | null = null;
      try {
        answer = await this.#inHostQueue(question);
        if (answer.status !== 429 && !(mayRepeat && RETRIED_STATUSES.has(answer.status))) return answer;
      } catch (error) {
        signal.throwIfAborted();
        const failure = failureOf(error, url);
        if (!mayRepeat || !RETRIED_REASONS.has(failure.details?.reason)) throw failure;
      }
      if (answer?.status !== 429) await this.#wait(this.#settings.retryDelayMs, signal);
      else if (!mayRepeat) throw this.#limited(url, target);
    }
  }

  /** Queues the request for the host and checks the rate limit again before it runs. */
  async #inHostQueue(question: Question): Promise<RawAnswer> {
    const { target, url, isRead, signal } = question;
    for (;;) {
      // A rate limit applies to all users of the setting.
      const held = this.#heldFor(target);
      if (held > 0 && (!isRead || held > this.#settings.maxLimitWaitMs)) throw this.#limited(url, target);
      if (held > 0) await this.#wait(held, signal);
      const queue = this.#queueOf(url.host);
      if (queue.size >= this.#settings.maxWaitingPerHost) throw limited(url.host, 1000);
      const answer = await queue.add(async () => (this.#heldFor(target) > 0 ? null : this.#attempt(question)), {
        signal,
      });
      if (answer !== null) return answer;
    }
  }

  /** Sends the request, reports the outcome, and stores a rate limit before the next one in the queue runs. */
  async #attempt(question: Question): Promise<RawAnswer> {
    const { target, url, method, isRead, headers, body, caller, signal } = question;
    const { guard, clock } = this.#deps;
    const begun = performance.now();
    const report = (outcome: AttemptOutcome): void =>
      this.#deps.observe?.({ kind: isRead ? 'read' : 'write', outcome, seconds: (performance.now() - begun) / 1000 });
    try {
      // A write cannot be retried after the peer closed an idle connection, so it uses a new one.
      const connections = isRead ? this.#connections : null;
      const answer = await exchange(url, {
        method,
        headers,
        body,
        guard,
        connections,
        settings: this.#settings,
        signal,
      });
      const now = clock.now();
      if (answer.status === 429) {
        const pause = limitPause(answer, now);
        this.#heldUntil.set(target, now + limitWait(pause));
        this.#pausedUntil.set(target, now + pause);
      }
      report(outcomeOfStatus(answer.status));
      return answer;
    } catch (error) {
      const failure = failureOf(error, url);
      const early = caller?.aborted === true ? 'aborted' : 'timed_out';
      report(signal.aborted ? early : outcomeOfFailure(failure));
      throw failure;
    }
  }

  /** Remaining rate limit in milliseconds; 0 or less for none. */
  #heldFor(target: TrackerTarget): number {
    return (this.#heldUntil.get(target) ?? 0) - this.#deps.clock.now();
  }

  #limited(url: URL, target: TrackerTarget): AppError {
    const paused = (this.#pausedUntil.get(target) ?? 0) - this.#deps.clock.now();
    return limited(url.host, this.#heldFor(target), paused);
  }

  #queueOf(host: string): PQueue {
    const known = this.#queues.get(host);
    if (known !== undefined) return known;
    const queue = new PQueue({ concurrency: this.#settings.maxInFlightPerHost });
    this.#queues.set(host, queue);
    queue.once('idle', () => this.#queues.delete(host));
    return queue;
  }
}
