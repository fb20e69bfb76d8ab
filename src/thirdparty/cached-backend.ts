import { LRUCache } from 'lru-cache';
import { NO_TRACKER_MARKS } from '../domain/errors/error-marks.ts';
import type { EventOptions, EventPage } from '../domain/events/event-list.ts';
import type { ErrorBackend, StatusResult } from '../domain/ports/error-backend.ts';
import type { StatusChange } from '../domain/errors/error-state.ts';
import type { BulkStatusChange } from '../domain/ports/stores/list-store.ts';
import type { Project } from '../domain/projects/project.ts';
import type { TimeRange } from '../domain/search/time-range.ts';
import type { TrackedError, TrackedErrorDetail } from '../domain/errors/tracked-error.ts';
import { asAsked, type Capabilities, type ErrorQuery } from '../domain/search/error-query.ts';
import type { TrackedEvent } from '../domain/events/tracked-event.ts';
import type { Page } from '../domain/page.ts';
import type { ErrorStatus } from '../domain/errors/error-status.ts';
import type { Kept, TrackerCache } from './cache.ts';
import { grownTo } from '../lib/grown-to.ts';

/** Milliseconds during which lists of trackers may show the former status, because their search index lags. */
const SETTLING_MS = 10_000;
/** Maximum of remembered changes; older ones are in most cached copies. */
const MAX_CHANGES = 10_000;

interface Change {
  readonly status: ErrorStatus;
  readonly at: number;
}

/** Recent changes of status through errgate, by scope and error. */
export class StatusChanges {
  readonly #changes = new LRUCache<string, Change>(grownTo(MAX_CHANGES));

  remember(scope: string, errorId: string, change: Change): void {
    this.#changes.set(`${scope} ${errorId}`, change);
  }

  /** Applies a newer change to an error that was requested at `askedAt`. */
  apply<T extends TrackedError>(scope: string, error: T, askedAt: number): T {
    const change = this.#changes.get(`${scope} ${error.id}`);
    if (change === undefined || change.status === error.status || askedAt > change.at + SETTLING_MS) return error;
    // Trackers take the marks away with the change.
    return { ...error, status: change.status, marks: error.marks === null ? null : NO_TRACKER_MARKS };
  }
}

/** Adds `staleSince` only to stale values. */
function marked<T extends object>({ value, stale, askedAt }: Kept<T>): T & { readonly staleSince?: number } {
  return stale ? { ...value, staleSince: askedAt } : value;
}

export interface CachedBackendOptions {
  readonly cache: TrackerCache;
  readonly changes: StatusChanges;
  /** From `TrackerCache.scopeOf`. */
  readonly scope: string;
  readonly now: () => number;
  /** Never waits: throws `not_ready` without a copy. */
  readonly atOnce: boolean;
}

type Fetch<T> = (signal: AbortSignal) => Promise<T>;

/** Cache in front of a tracker. Changes of status go to the tracker and are visible in all later reads. */
export class CachedBackend implements ErrorBackend {
  readonly #backend: ErrorBackend;
  readonly #options: CachedBackendOptions;

  constructor(backend: ErrorBackend, options: CachedBackendOptions) {
    this.#backend = backend;
    this.#options = options;
  }

  async capabilities(project: Project, signal?: AbortSignal): Promise<Capabilities> {
    const { cache, scope, atOnce } = this.#options;
    const fetch: Fetch<Capabilities> = (wanted) => this.#backend.capabilities(project, wanted);
    const isIncomplete = (known: Capabilities): boolean => known.incomplete === true;
    return marked(await cache.read(`${scope}:lasting`, 'capabilities', fetch, { atOnce, signal, isIncomplete }));
  }

  async list(project: Project, query: ErrorQuery, signal?: AbortSignal): Promise<Page<TrackedError>> {
    const { changes, scope } = this.#options;
    const fetch: Fetch<Page<TrackedError>> = (wanted) => this.#backend.list(project, query, wanted);
    const kept = await this.#read(signal, `list ${JSON.stringify(asAsked(query))}`, fetch);
    const items = kept.value.items.flatMap((known) => {
      const error = changes.apply(scope, known, kept.askedAt);
      // Removes only rows that errgate changed: a tracker may have other reasons to list a row.
      const gone = error !== known && query.status !== 'all' && error.status !== query.status;
      return gone ? [] : [error];
    });
    return marked({ ...kept, value: { ...kept.value, items } });
  }

  async get(project: Project, errorId: string, signal?: AbortSignal, range?: TimeRange): Promise<TrackedErrorDetail> {
    const { cache, changes, scope, atOnce } = this.#options;
    const fetch: Fetch<TrackedErrorDetail> = (wanted) => this.#backend.get(project, errorId, wanted, range);
    const isIncomplete = (detail: TrackedErrorDetail): boolean => detail.incomplete === true;
    const kept = await cache.read(scope, `error ${errorId} ${range ?? ''}`, fetch, { atOnce, signal, isIncomplete });
    return marked({ ...kept, value: changes.apply(scope, kept.value, kept.askedAt) });
  }

  async listEvents(
    project: Project,
    errorId: string,
    limit: number,
    cursor: string | null,
    options?: EventOptions,
    signal?: AbortSignal,
  ): Promise<EventPage> {
    const name = `events ${JSON.stringify([errorId, limit, cursor, options])}`;
    const fetch: Fetch<EventPage> = (wanted) =>
      this.#backend.listEvents(project, errorId, limit, cursor, options, wanted);
    return marked(await this.#readLasting(signal, name, fetch));
  }

  async event(project: Project, errorId: string, eventId: string, signal?: AbortSignal): Promise<TrackedEvent> {
    const fetch: Fetch<TrackedEvent> = (wanted) => this.#backend.event(project, errorId, eventId, wanted);
    return marked(await this.#readLasting(signal, `event ${errorId} ${eventId}`, fetch));
  }

  async latestEvent(project: Project, errorId: string, signal?: AbortSignal): Promise<TrackedEvent> {
    const fetch: Fetch<TrackedEvent> = (wanted) => this.#backend.latestEvent(project, errorId, wanted);
    return marked(await this.#readLasting(signal, `latest ${errorId}`, fetch));
  }

  async oldestEvent(project: Project, errorId: string, signal?: AbortSignal): Promise<TrackedEvent> {
    const fetch: Fetch<TrackedEvent> = (wanted) => this.#backend.oldestEvent(project, errorId, wanted);
    return marked(await this.#readLasting(signal, `oldest ${errorId}`, fetch));
  }

  async setStatus(project: Project, errorId: string, status: ErrorStatus, change?: StatusChange): Promise<boolean> {
    const { cache, changes, scope, now } = this.#options;
    try {
      const updated = await this.#backend.setStatus(project, errorId, status, change);
      if (updated) changes.remember(scope, errorId, { status, at: now() });
      return updated;
    } finally {
      // Also after a failure, because the tracker may have applied the change.
      cache.expire(scope);
    }
  }

  async setStatuses(
    project: Project,
    errorIds: readonly string[],
    status: ErrorStatus,
    change?: BulkStatusChange,
  ): Promise<StatusResult[]> {
    const { cache, changes, scope, now } = this.#options;
    try {
      const results = await this.#backend.setStatuses(project, errorIds, status, change);
      for (const { errorId, before } of results) {
        if (before?.skipped === false) changes.remember(scope, errorId, { status, at: now() });
      }
      return results;
    } finally {
      cache.expire(scope);
    }
  }

  externalUrl(project: Project): Promise<string | null> {
    return this.#backend.externalUrl(project);
  }

  #read<T>(
    signal: AbortSignal | undefined,
    name: string,
    fetch: Fetch<T>,
    scope = this.#options.scope,
  ): Promise<Kept<T>> {
    const { cache, atOnce } = this.#options;
    return cache.read(scope, name, fetch, { atOnce, signal });
  }

  /** Reads an answer that does not depend on the status. */
  #readLasting<T>(signal: AbortSignal | undefined, name: string, fetch: Fetch<T>): Promise<Kept<T>> {
    return this.#read(signal, name, fetch, `${this.#options.scope}:lasting`);
  }
}
