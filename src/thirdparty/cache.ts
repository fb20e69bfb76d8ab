import { LRUCache } from 'lru-cache';
import { AppError, type ErrorCode } from '../domain/app-error.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { TrackingSettings } from '../domain/tracking-settings.ts';
import { within } from '../lib/within.ts';
import { Flight } from './flight.ts';
import { isCallerGone } from './tracker-errors.ts';

export interface CacheSettings {
  /** Bytes of all copies together; the ones that were not read for longest go first. */
  readonly maxBytes: number;
  /** Milliseconds for which a copy is served without asking the tracker. */
  readonly freshMs: number;
  /** Milliseconds after that in which it is still served at once, while a newer one is fetched. */
  readonly revalidateMs: number;
  /** Largest age of a copy, in milliseconds, that is served while the tracker fails. */
  readonly maxStaleMs: number;
  /** Milliseconds a reader waits for a newer copy than the old one at hand. */
  readonly patienceMs: number;
  /** Milliseconds after a failure in which the tracker is not asked again for the same thing. */
  readonly retryMs: number;
}

/**
 * How a read was answered: from a copy that is `fresh`, old and being replaced (`revalidating`) or all there is
 * (`stale`); by the tracker (`asked`, `failed`); with the failure of a moment ago (`held`); not yet (`not_ready`);
 * not at all, because the reader had gone (`left`).
 */
export type CacheOutcome = 'fresh' | 'revalidating' | 'stale' | 'asked' | 'failed' | 'held' | 'not_ready' | 'left';

export interface ReadOptions<T> {
  /** Never waits: `not_ready` is thrown where there is no copy yet, and the answer fetched for the next reader. */
  readonly atOnce?: boolean;
  /** Aborted when the reader goes away; the tracker is asked on as long as another one waits. */
  readonly signal?: AbortSignal | undefined;
  /** An answer that lacks parts is fresh no longer than a failure is held. Default: none does. */
  readonly isIncomplete?: (answer: T) => boolean;
}

export interface CacheOptions {
  readonly settings: CacheSettings;
  readonly clock: Clock;
  readonly count?: (outcome: CacheOutcome) => void;
}

export interface Kept<T> {
  readonly value: T;
  /** When the question to the tracker began that this answers; milliseconds since the epoch. */
  readonly askedAt: number;
  /** The tracker fails or is slow: nobody knows whether this is still so. */
  readonly stale: boolean;
}

interface Copy {
  /** JSON: its length is exact, and readers cannot change what others get. */
  readonly bytes: Buffer;
  readonly askedAt: number;
  readonly freshMs: number;
  readonly generation: number;
}

interface Entry {
  readonly copy: Copy | null;
  readonly failure: { readonly error: unknown; readonly until: number } | null;
}

/** Entries cost this many bytes besides copy and key. */
const ENTRY_BYTES = 400;
/** Failures of a limited tracker are held for what it asks for, up to this long. */
const MAX_HOLD_MS = 60_000;
/** Scopes that are remembered, and when they were expired; what is forgotten is asked for again. */
const MAX_SCOPES = 20_000;

/** The tracker is away, limits us or talks nonsense: the last copy is better than nothing. */
const OUTAGES: ReadonlySet<ErrorCode> = new Set(['tracker_unreachable', 'tracker_limited', 'tracker_invalid_answer']);
/** Answers about the thing asked for: neither held, nor hidden behind a copy. */
const ANSWERS: ReadonlySet<ErrorCode> = new Set([
  'not_found',
  'events_removed',
  'bad_request',
  'unsupported_by_tracker',
]);

function codeIn(codes: ReadonlySet<ErrorCode>, error: unknown): boolean {
  return error instanceof AppError && codes.has(error.code);
}

/** Refusals with a 5xx are the tracker's own trouble; the others are meant. */
function isOutage(error: unknown): boolean {
  if (codeIn(OUTAGES, error)) return true;
  const status = error instanceof AppError && error.code === 'tracker_refused' ? error.details?.status : undefined;
  return status !== undefined && status >= 500;
}

function sizeOf({ copy }: Entry, key: string): number {
  return ENTRY_BYTES + key.length * 2 + (copy?.bytes.length ?? 0);
}

/** Memory of its own: a piece of Node's shared pool would keep the rest of it alive, uncounted. */
function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/**
 * Copies of the tracker's answers: one request at a time for one thing, however many read it; old copies
 * while the tracker fails. Copies are apart per project, settings and token.
 *
 * Does not use lru-cache's `fetch`: that ends a question with the signal of its first reader, or never. A tracker is
 * asked no longer once the last reader has gone, so `Flight` counts them.
 */
export class TrackerCache {
  readonly #settings: CacheSettings;
  readonly #clock: Clock;
  readonly #count: NonNullable<CacheOptions['count']>;
  readonly #entries: LRUCache<string, Entry>;
  readonly #generations = new LRUCache<string, number>({ max: MAX_SCOPES });
  readonly #flights = new Map<string, Flight<Copy>>();
  readonly #scopes = new LRUCache<string, string>({ max: MAX_SCOPES });
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

  /** Names what belongs to these settings; another address or token is another scope. Holds nothing of them. */
  scopeOf({ projectId, apiUrl, thirdpartyProjectId, sealedToken }: TrackingSettings): string {
    const settings = JSON.stringify([projectId, apiUrl, thirdpartyProjectId, sealedToken]);
    const known = this.#scopes.get(settings);
    if (known !== undefined) return known;
    const scope = `${projectId}:${++this.#lastScope}`;
    this.#scopes.set(settings, scope);
    return scope;
  }

  /** What was asked for in the scope is asked for again; until the tracker answers, the copies are old ones. */
  expire(scope: string): void {
    this.#generations.set(scope, ++this.#lastGeneration);
  }

  /** Drops every copy of the project. */
  forgetProject(projectId: number): void {
    const prefix = `${projectId}:`;
    for (const key of this.#entries.keys()) if (key.startsWith(prefix)) this.#entries.delete(key);
  }

  /** The answer to one question. `name` is unique in its scope. */
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
    const flight = this.#refresh(key, generation, fetch, isIncomplete);
    if (fallback === null && !atOnce) return this.#answer(await this.#counted(flight.wait(signal)), 'asked');
    // For the next reader.
    flight.keep();
    if (fallback === null) {
      this.#count('not_ready');
      throw new AppError('not_ready', 'Not ready. Try again later');
    }
    if (failure !== null && isOutage(failure.error)) return this.#answer(fallback, 'stale');
    if (current && age < freshMs + revalidateMs) return this.#answer(fallback, 'revalidating');
    return this.#patiently(flight.answer, fallback);
  }

  #answer<T>(copy: Copy, outcome: CacheOutcome): Kept<T> {
    this.#count(outcome);
    const value = JSON.parse(copy.bytes.toString('utf8')) as T;
    return { value, askedAt: copy.askedAt, stale: outcome === 'stale' };
  }

  async #counted(flight: Promise<Copy>): Promise<Copy> {
    try {
      return await flight;
    } catch (error) {
      this.#count(isCallerGone(error) ? 'left' : 'failed');
      throw error;
    }
  }

  /** Waits for the newer copy, but no longer than `patienceMs`: there is an old one. */
  async #patiently<T>(flight: Promise<Copy>, fallback: Copy): Promise<Kept<T>> {
    try {
      const newer = await within(
        this.#settings.patienceMs,
        () => this.#counted(flight),
        () => null,
      );
      return newer === null ? this.#answer(fallback, 'stale') : this.#answer(newer, 'asked');
    } catch (error) {
      if (isOutage(error)) return this.#answer(fallback, 'stale');
      throw error;
    }
  }

  /** Asks, or joins the question under way. */
  #refresh<T>(
    key: string,
    generation: number,
    fetch: (signal: AbortSignal) => Promise<T>,
    isIncomplete: (answer: T) => boolean = () => false,
  ): Flight<Copy> {
    const flightKey = `${generation}\n${key}`;
    const under = this.#flights.get(flightKey);
    if (under !== undefined && !under.abandoned) return under;
    const { freshMs, retryMs } = this.#settings;
    const freshFor = (answer: T): number => (isIncomplete(answer) ? Math.min(retryMs, freshMs) : freshMs);
    const flight = new Flight((signal) => this.#fetch(key, generation, () => fetch(signal), freshFor, signal));
    this.#flights.set(flightKey, flight);
    const landed = (): void => {
      if (this.#flights.get(flightKey) === flight) this.#flights.delete(flightKey);
    };
    flight.answer.then(landed, landed);
    return flight;
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
      // What was given up half-way may lack parts.
      signal.throwIfAborted();
      const copy = { bytes: ownBytes(JSON.stringify(answer)), askedAt, freshMs: freshFor(answer), generation };
      const kept = this.#entries.peek(key)?.copy ?? null;
      // A question from before a change must not overwrite the answer to one from after it.
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
    // A token that is refused may have been taken away on purpose: what it let one read goes too.
    const copy = isOutage(error) ? (this.#entries.peek(key)?.copy ?? null) : null;
    this.#entries.set(key, { copy, failure: { error, until } });
  }
}
