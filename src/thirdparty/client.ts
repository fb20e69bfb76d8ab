import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { got } from 'got';
import { AppError } from '../domain/app-error.ts';
import type { Clock } from '../domain/ports/clock.ts';
import { readAnswer, type RawAnswer, type TrackerReply } from './answer.ts';
import { outcomeOfFailure, outcomeOfStatus, type Attempt, type AttemptOutcome } from './attempt.ts';
import { authorize } from './authorization.ts';
import { BlockedError } from './guard/blocked-error.ts';
import { Deadline } from './deadline.ts';
import { HostSlots } from './host-slots.ts';
import { blocked, networkFailure, serverTrouble, timedOut, tooBig } from './network-failure.ts';
import { limited, limitWait } from './rate-limit.ts';
import { callerGone, isCallerGone } from './tracker-errors.ts';
import type { UrlGuard } from './url-guard.ts';

/** Times in milliseconds. */
export interface ClientSettings {
  /** Bytes of one answer after decompression; beyond: `tracker_invalid_answer`. */
  readonly maxResponseBytes: number;
  readonly lookupTimeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly tlsTimeoutMs: number;
  /** From the request sent to the first byte of the answer. */
  readonly responseTimeoutMs: number;
  /** Everything, waiting and repeats included. */
  readonly totalTimeoutMs: number;
  /** The longest wait for a tracker that limits us; beyond: `tracker_limited` at once. */
  readonly maxLimitWaitMs: number;
  /** Before a read that failed on the way is repeated, once. */
  readonly retryDelayMs: number;
  readonly maxInFlightPerHost: number;
  /** Requests that may wait for their turn per host; beyond: `tracker_limited`. */
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

/** Where requests go and as whom. One object per setting: what a limiting tracker said is remembered with it. */
export interface TrackerTarget {
  /** Scheme, host, port and sub-path; no slash at the end. */
  readonly baseUrl: string;
  /** Decrypts the token; asked for each request and never kept. Null: anonymous. */
  readonly token: () => string | null;
}

export interface TrackerRequest {
  /** Default: GET. */
  readonly method?: 'GET' | 'PUT';
  /** Below the base, from `/` to `/`; segments are encoded by the caller. */
  readonly path: string;
  readonly query?: readonly (readonly [name: string, value: string])[];
  /** JSON. */
  readonly body?: object;
  /** Ends the request when whoever wanted the answer has gone. */
  readonly signal?: AbortSignal;
}

export interface TrackerClientDeps {
  readonly guard: UrlGuard;
  readonly clock: Clock;
  readonly settings?: Partial<ClientSettings>;
  /** Resolves after the time; rejects when the signal is aborted. Default: timers. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Told of every attempt. */
  readonly observe?: (attempt: Attempt) => void;
  /** Told once per question whether the host answered (null) or fails; not of who went away. */
  readonly settled?: (host: string, failure: AppError | null) => void;
}

const RETRIED_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);
const RETRIED_REASONS: ReadonlySet<unknown> = new Set(['socket', 'refused', 'http']);

const isRead = ({ method = 'GET' }: TrackerRequest): boolean => method === 'GET';

/**
 * Asks external trackers over HTTP: never follows a redirect, never exceeds its bounds in time and size, sends
 * the token nowhere but in the header. HTTP refusals are answers; everything else that goes wrong is an
 * AppError with a `tracker_…` code. Shared by all settings of the process.
 */
export class TrackerClient {
  readonly #deps: TrackerClientDeps;
  readonly #settings: ClientSettings;
  readonly #slots: HostSlots;
  readonly #heldUntil = new WeakMap<TrackerTarget, number>();
  readonly #wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly #keptAlive: { http: HttpAgent; https: HttpsAgent };

  constructor(deps: TrackerClientDeps) {
    this.#deps = deps;
    this.#settings = { ...DEFAULT_CLIENT_SETTINGS, ...deps.settings };
    this.#slots = new HostSlots(this.#settings.maxInFlightPerHost);
    this.#wait = deps.wait ?? ((ms, signal) => delay(ms, undefined, { signal, ref: false }));
    const pool = { keepAlive: true, maxFreeSockets: this.#settings.maxInFlightPerHost, timeout: 30_000 };
    this.#keptAlive = { http: new HttpAgent(pool), https: new HttpsAgent(pool) };
  }

  /** Ends idle connections. */
  close(): void {
    this.#keptAlive.http.destroy();
    this.#keptAlive.https.destroy();
  }

  async request(target: TrackerTarget, request: TrackerRequest): Promise<TrackerReply> {
    const url = new URL(target.baseUrl + request.path);
    for (const [name, value] of request.query ?? []) url.searchParams.append(name, value);
    try {
      const reply = await this.#ask(target, request, url);
      this.#deps.settled?.(url.host, reply.status >= 500 ? serverTrouble(url.host, reply.status) : null);
      return reply;
    } catch (error) {
      if (error instanceof AppError && !isCallerGone(error)) this.#deps.settled?.(url.host, error);
      throw error;
    }
  }

  async #ask(target: TrackerTarget, request: TrackerRequest, url: URL): Promise<TrackerReply> {
    const refusal = this.#deps.guard.refusal(url.href);
    if (refusal !== null) throw blocked(url.host, refusal);
    const { token, headers } = authorize(target.token);
    const deadline = new Deadline(this.#settings.totalTimeoutMs, request.signal);
    try {
      const answer = await this.#withRetry(target, request, url, headers, deadline.signal);
      return readAnswer(answer, url.host, token);
    } catch (error) {
      if (deadline.late) throw timedOut(url.host);
      if (request.signal?.aborted === true) throw callerGone();
      throw error instanceof AppError ? error : networkFailure(error, url.host);
    } finally {
      deadline.done();
    }
  }

  /** Reads are repeated once after a failure on the way or a limit; writes never. */
  async #withRetry(
    target: TrackerTarget,
    request: TrackerRequest,
    url: URL,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<RawAnswer> {
    for (let mayRepeat = isRead(request); ; mayRepeat = false) {
      try {
        const answer = await this.#inSlot(target, request, url, headers, signal);
        if (answer.status === 429) {
          if (!mayRepeat) throw limited(url.host, this.#heldFor(target));
        } else if (!mayRepeat || !RETRIED_STATUSES.has(answer.status)) {
          return answer;
        } else {
          await this.#wait(this.#settings.retryDelayMs, signal);
        }
      } catch (error) {
        signal.throwIfAborted();
        const failure = error instanceof AppError ? error : networkFailure(error, url.host);
        if (!mayRepeat || !RETRIED_REASONS.has(failure.details?.reason)) throw failure;
        await this.#wait(this.#settings.retryDelayMs, signal);
      }
    }
  }

  /** A tracker that said it has enough is left alone for so long, by everybody who uses the setting. */
  async #waitOutLimit(target: TrackerTarget, url: URL, isRead: boolean, signal: AbortSignal): Promise<void> {
    const wait = this.#heldFor(target);
    if (wait <= 0) return;
    if (!isRead || wait > this.#settings.maxLimitWaitMs) throw limited(url.host, wait);
    await this.#wait(wait, signal);
  }

  /** Milliseconds, not above 0 where the tracker did not limit us. */
  #heldFor(target: TrackerTarget): number {
    return (this.#heldUntil.get(target) ?? 0) - this.#deps.clock.now();
  }

  /** A slot of the host while the tracker takes requests: it may have limited us while this one waited for its slot. */
  async #takeSlot(target: TrackerTarget, request: TrackerRequest, url: URL, signal: AbortSignal): Promise<() => void> {
    for (;;) {
      await this.#waitOutLimit(target, url, isRead(request), signal);
      if (this.#slots.load(url.host).waiting >= this.#settings.maxWaitingPerHost) throw limited(url.host, 1000);
      const giveBack = await this.#slots.take(url.host, signal);
      if (this.#heldFor(target) <= 0) return giveBack;
      giveBack();
    }
  }

  async #inSlot(
    target: TrackerTarget,
    request: TrackerRequest,
    url: URL,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<RawAnswer> {
    const giveBack = await this.#takeSlot(target, request, url, signal);
    const begun = performance.now();
    const kind = isRead(request) ? 'read' : 'write';
    const tell = (outcome: AttemptOutcome): void =>
      this.#deps.observe?.({ kind, outcome, seconds: (performance.now() - begun) / 1000 });
    try {
      const answer = await this.#exchange(request, url, headers, signal);
      const now = this.#deps.clock.now();
      // Before the slot goes to the next one, who must know.
      if (answer.status === 429) this.#heldUntil.set(target, now + limitWait(answer, now));
      tell(outcomeOfStatus(answer.status));
      return answer;
    } catch (error) {
      const failure = error instanceof AppError ? error : networkFailure(error, url.host);
      const late = request.signal?.aborted === true ? 'aborted' : 'timed_out';
      tell(signal.aborted ? late : outcomeOfFailure(failure));
      throw failure;
    } finally {
      giveBack();
    }
  }

  #exchange(
    request: TrackerRequest,
    url: URL,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<RawAnswer> {
    const { maxResponseBytes, ...settings } = this.#settings;
    return new Promise((resolve, reject) => {
      let failure: Error | null = null;
      const lookup = this.#deps.guard.lookupFor(url);
      const stream = got.stream(url, {
        method: request.method ?? 'GET',
        headers: {
          ...headers,
          Accept: 'application/json',
          // Some trackers answer in JSON, or at all, only to requests that say so, reads included.
          'Content-Type': 'application/json',
          'User-Agent': 'errgate',
        },
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
        // A write on a connection that the other side just closed could not be repeated: it gets its own.
        ...(isRead(request) ? { agent: this.#keptAlive } : {}),
        dnsLookup: (hostname, options, callback) =>
          lookup(hostname, options, (error, address, family) => {
            if (error instanceof BlockedError) failure = error;
            callback(error, address, family);
          }),
        followRedirect: false,
        throwHttpErrors: false,
        decompress: true,
        retry: { limit: 0 },
        signal,
        timeout: {
          lookup: settings.lookupTimeoutMs,
          connect: settings.connectTimeoutMs,
          secureConnect: settings.tlsTimeoutMs,
          response: settings.responseTimeoutMs,
        },
      });
      const chunks: Buffer[] = [];
      let bytes = 0;
      stream.on('data', (chunk: Buffer) => {
        if (failure !== null) return;
        bytes += chunk.length;
        if (bytes > maxResponseBytes) {
          failure = tooBig(url.host, maxResponseBytes, bytes);
          reject(failure);
          stream.destroy();
          return;
        }
        chunks.push(chunk);
      });
      stream.once('end', () => {
        const response = stream.response;
        if (response === undefined) return;
        resolve({
          status: response.statusCode,
          headers: response.headers,
          body: Buffer.concat(chunks, bytes).toString('utf8'),
        });
      });
      stream.on('error', (error: unknown) => {
        const reason = failure ?? error;
        reject(reason instanceof Error ? reason : new Error('request failed'));
      });
      stream.once('close', () => reject(failure ?? Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    });
  }
}
