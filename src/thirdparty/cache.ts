import { LRUCache } from 'lru-cache';
import { AppError, type ErrorCode } from '../domain/app-error.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { TrackingSettings } from '../domain/projects/tracking-settings.ts';
import { within } from '../lib/within.ts';
import { SharedRequests } from './http/shared-request.ts';
import { isCallerGone } from './http/tracker-errors.ts';
import { grownTo } from '../lib/grown-to.ts';

export interface CacheSettings {
  /** Maximum bytes of all copies together; the least recently used ones are evicted. */
  readonly maxBytes: number;
  /** Milliseconds for which a copy is served without a request to the tracker. */
  readonly freshMs: number;
  /** Milliseconds after `freshMs` in which a copy is served immediately and refreshed in the background. */
  readonly revalidateMs: number;
  /** Maximum age of a copy, in milliseconds, that is served while the tracker fails. */
  readonly maxStaleMs: number;
  /** Milliseconds a reader waits for a refresh before it gets the old copy. */
  readonly patienceMs: number;
  /** Milliseconds after a failure without a repeated request for the same key. */
  readonly retryMs: number;
}

/**
 * Outcome of a read. From a copy: `fresh`, `revalidating` (refresh under way) or `stale` (refresh failed or slow). From
 * the tracker: `asked` or `failed`. `held`: a recent failure. `not_ready`: no copy yet. `left`: aborted by the reader.
 */
export type CacheOutcome = 'fresh' | 'revalidating' | 'stale' | 'asked' | 'failed' | 'held' | 'not_ready' | 'left';

export interface ReadOptions<T> {
  /** Never waits: throws `not_ready` without a copy, and fetches the answer in the background. */
  readonly atOnce?: boolean;
  /** Aborted when the reader disconnects; the request continues while others wait for it. */
  readonly signal?: AbortSignal | undefined;
  /** Returns true for an answer with missing parts, which is fresh only for `retryMs`. Default: never. */
  readonly isIncomplete?: (answer: T) => boolean;
}

export interface CacheOptions {
  readonly settings: CacheSettings;
  readonly clock: Clock;
  readonly count?: (outcome: CacheOutcome) => void;
}

export interface Kept<T> {
  readonly value: T;
  /** Start of the request for this answer; milliseconds since the epoch. */
  readonly askedAt: number;
  /** True: the tracker fails or is slow, so the answer may be outdated. */
  readonly stale: boolean;
}

interface Copy {
  /** JSON: its length is exact, and readers cannot change the copies of others. */
  readonly bytes: Buffer;
  readonly askedAt: number;
  readonly freshMs: number;
  readonly generation: number;
}

interface Entry {
  readonly copy: Copy | null;
  readonly failure: { readonly error: unknown; readonly until: number } | null;
}

/** Overhead of an entry in bytes, besides copy and key. */
const ENTRY_BYTES = 400;
/** Maximum milliseconds for which a rate-limit failure is cached. */
const MAX_HOLD_MS = 60_000;
/** Maximum of scopes with a known expiry time; evicted ones are fetched again. */
const MAX_SCOPES = 20_000;

/** Codes of an unavailable, limiting or broken tracker: a stale copy may be served. */
const OUTAGES: ReadonlySet<ErrorCode> = new Set(['tracker_unreachable', 'tracker_limited', 'tracker_invalid_answer']);
/** Codes about the requested object: neither cached, nor replaced by a copy. */
const ANSWERS: ReadonlySet<ErrorCode> = new Set([
  'not_found',
  'events_removed',
  'bad_request',
  'unsupported_by_tracker',
]);

function codeIn(codes: ReadonlySet<ErrorCode>, error: unknown): boolean {
  return error instanceof AppError && codes.has(error.code);
}

/** Refusals with a 5xx are outages; others are answers. */
function isOutage(error: unknown): boolean {
  if (codeIn(OUTAGES, error)) return true;
  const status = error instanceof AppError && error.code === 'tracker_refused' ? error.details?.status : undefined;
  return status !== undefined && status >= 500;
}

function sizeOf({ copy }: Entry, key: string): number {
  return ENTRY_BYTES + key.length * 2 + (copy?.bytes.length ?? 0);
}

/** Allocates separate memory: a slice of Node's shared pool would keep the whole pool alive. */
function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/**
 * Caches answers of trackers: concurrent reads share one request, and stale copies are served during outages. Copies
 * are separate per project, settings and token. Does not use lru-cache's `fetch`. It knows one reader of a request, the
 * first: its signal aborts the request of all, or none does. `SharedRequests` aborts it after the last reader. `fetch`
 * also keeps no failures, has no reader that waits for a while only, and ends requests whose entry is evicted.
 */
export class TrackerCache {
  readonly #settings: CacheSettings;
  readonly #clock: Clock;
  readonly #count: NonNullable<CacheOptions['count']>;
  readonly #entries: LRUCache<string, Entry>;
  readonly #generations = new LRUCache<string, number>(grownTo(MAX_SCOPES));
  readonly #requests = new SharedRequests<Copy>();
  readonly #scopes = new LRUCache<string, string>(grownTo(MAX_SCOPES));
  #lastGeneration = 0;
  #lastScope = 0;

  constructor({ settings, clock, count }: CacheOptions) {
    this.#settings = settings;
    this.#clock = clock;
    this.#count = count ?? (() => undefined);
    this.#entries = new LRUCache({ maxSize: settings.maxBytes, sizeCalculation: sizeOf });
  }

  /** Bytes in use, for metrics and tests. */
  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  /** Key of these settings; another address or token gives another scope. Contains no part of them. */
  scopeOf({ projectId, apiUrl, thirdpartyProjectId, sealedToken }: TrackingSettings): string {
    const settings = JSON.stringify([projectId, apiUrl, thirdpartyProjectId, sealedToken]);
    const known = this.#scopes.get(settings);
    if (known !== undefined) return known;
    const scope = `${projectId}:${++this.#lastScope}`;
    this.#scopes.set(settings, scope);
    return scope;
  }

  /** Expires all copies of the scope; they count as stale until the tracker answers. */
  expire(scope: string): void {
    this.#generations.set(scope, ++this.#lastGeneration);
  }

  /** Drops every copy of the project. */
  forgetProject(projectId: number): void {
    const prefix = `${projectId}:`;
    for (const key of this.#entries.keys()) if (key.startsWith(prefix)) this.#entries.delete(key);
  }

  /** Reads the answer to one request. `name` is unique in its scope. */
  async read<T>(
    scope: string,
    name: string,
    fetch: (signal: AbortSignal) => Promise<T>,
    { atOnce = false, signal, isIncomplete }: ReadOptions<T> = {},
  ): Promise<Kept<T>> {
    const key = `${scope}\n${name}`;
    const generation = this.#generations.get(scope) ?? 0;
    const now = this.#clock.now();
    const entry = this.#entries.get(key);
    const copy = entry?.copy ?? null;
    const age = copy === null ? Infinity : now - copy.askedAt;
    const current = copy?.generation === generation;
    const { freshMs, revalidateMs, maxStaleMs } = this.#settings;
    if (copy !== null && current && age < copy.freshMs) return this.#answer(copy, 'fresh');

    const fallback = age <= maxStaleMs ? copy : null;
    const failure = entry?.failure ?? null;
    if (failure !== null && now < failure.until) {
      if (fallback !== null && isOutage(failure.error)) return this.#answer(fallback, 'stale');
      this.#count('held');
      throw failure.error;
    }
    const request = this.#refresh(key, generation, fetch, isIncomplete);
    if (fallback === null && !atOnce) return this.#answer(await this.#counted(request.wait(signal)), 'asked');
    // The next reader gets the answer.
    request.keep();
    if (fallback === null) {
      this.#count('not_ready');
      throw new AppError('not_ready', 'Not ready. Try again later');
    }
    if (failure !== null && isOutage(failure.error)) return this.#answer(fallback, 'stale');
    if (current && age < freshMs + revalidateMs) return this.#answer(fallback, 'revalidating');
    return this.#patiently(request.answer, fallback);
  }

  #answer<T>(copy: Copy, outcome: CacheOutcome): Kept<T> {
    this.#count(outcome);
    const value = JSON.parse(copy.bytes.toString('utf8')) as T;
    return { value, askedAt: copy.askedAt, stale: outcome === 'stale' };
  }

  async #counted(request: Promise<Copy>): Promise<Copy> {
    try {
      return await request;
    } catch (error) {
      this.#count(isCallerGone(error) ? 'left' : 'failed');
      throw error;
    }
  }

  /** Waits at most `patienceMs` for a refresh, then returns the old copy. */
  async #patiently<T>(request: Promise<Copy>, fallback: Copy): Promise<Kept<T>> {
    try {
      const newer = await within(
        this.#settings.patienceMs,
        () => this.#counted(request),
        () => null,
      );
      return newer === null ? this.#answer(fallback, 'stale') : this.#answer(newer, 'asked');
    } catch (error) {
      if (isOutage(error)) return this.#answer(fallback, 'stale');
      throw error;
    }
  }

  /** Sends a request, or joins a pending one. */
  #refresh<T>(
    key: string,
    generation: number,
    fetch: (signal: AbortSignal) => Promise<T>,
    isIncomplete: (answer: T) => boolean = () => false,
  ): ReturnType<SharedRequests<Copy>['join']> {
    const { freshMs, retryMs } = this.#settings;
    const freshFor = (answer: T): number => (isIncomplete(answer) ? Math.min(retryMs, freshMs) : freshMs);
    return this.#requests.join(`${generation}\n${key}`, (signal) =>
      this.#fetch(key, generation, () => fetch(signal), freshFor, signal),
    );
  }

  async #fetch<T>(
    key: string,
    generation: number,
    fetch: () => Promise<T>,
    freshFor: (answer: T) => number,
    signal: AbortSignal,
  ): Promise<Copy> {
    const askedAt = this.#clock.now();
    try {
      const answer = await fetch();
      // An aborted answer may be incomplete.
      signal.throwIfAborted();
      const copy = { bytes: ownBytes(JSON.stringify(answer)), askedAt, freshMs: freshFor(answer), generation };
      const kept = this.#entries.peek(key)?.copy ?? null;
      // A request from before a change must not overwrite the answer to one after it.
      if (kept === null || kept.generation <= generation) this.#entries.set(key, { copy, failure: null });
      return copy;
    } catch (error) {
      if (!signal.aborted) this.#keepFailure(key, error);
      throw error;
    }
  }

  #keepFailure(key: string, error: unknown): void {
    if (codeIn(ANSWERS, error)) {
      this.#entries.delete(key);
      return;
    }
    const asked = error instanceof AppError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
    const until = this.#clock.now() + Math.min(Math.max(asked, this.#settings.retryMs), MAX_HOLD_MS);
    // A refused token may have been revoked on purpose, so its copies are dropped too.
    const copy = isOutage(error) ? (this.#entries.peek(key)?.copy ?? null) : null;
    this.#entries.set(key, { copy, failure: { error, until } });
  }
}
