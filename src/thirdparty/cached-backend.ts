import type { ErrorBackend } from '../domain/ports/error-backend.ts';
import type { Project } from '../domain/project.ts';
import type {
  ErrorQuery,
  ErrorStatus,
  EventSummary,
  Page,
  TrackedError,
  TrackedErrorDetail,
  TrackedEvent,
} from '../domain/tracked-error.ts';
import type { Kept, TrackerCache } from './cache.ts';

/** Trackers search in an index that follows later: for this long their lists may still show the former status. */
const SETTLING_MS = 10_000;
/** Changes remembered per project; older ones are in every copy that is still served. */
const MAX_CHANGES = 500;

interface Change {
  readonly status: ErrorStatus;
  readonly at: number;
}

/** What people changed through us lately, by scope and error. */
export class StatusChanges {
  readonly #scopes = new Map<string, Map<string, Change>>();

  remember(scope: string, errorId: string, change: Change): void {
    const changes = this.#scopes.get(scope) ?? new Map<string, Change>();
    changes.delete(errorId);
    changes.set(errorId, change);
    bound(changes, MAX_CHANGES);
    this.#scopes.delete(scope);
    this.#scopes.set(scope, changes);
    bound(this.#scopes, MAX_CHANGES);
  }

  /** The error as it must be by now, given when the tracker was asked about it. */
  apply<T extends TrackedError>(scope: string, error: T, askedAt: number): T {
    const change = this.#scopes.get(scope)?.get(error.id);
    if (change === undefined || change.status === error.status || askedAt > change.at + SETTLING_MS) return error;
    return { ...error, status: change.status };
  }
}

function bound(map: Map<string, unknown>, max: number): void {
  const oldest = map.keys().next();
  if (map.size > max && oldest.done !== true) map.delete(oldest.value);
}

/** The value as the ports carry it: with its age only where that is in doubt. */
function marked<T extends object>({ value, stale, askedAt }: Kept<T>): T & { readonly staleSince?: number } {
  return stale ? { ...value, staleSince: askedAt } : value;
}

export interface CachedBackendOptions {
  readonly cache: TrackerCache;
  readonly changes: StatusChanges;
  /** From `TrackerCache.scopeOf`. */
  readonly scope: string;
  readonly now: () => number;
  /** Never wait: throw `not_ready` where nothing is known yet. */
  readonly atOnce?: boolean;
}

/**
 * Puts copies in front of a tracker. A change of status goes to the tracker, and is seen at once in whatever is
 * read afterwards.
 */
export function withCache(backend: ErrorBackend, options: CachedBackendOptions): ErrorBackend {
  const { cache, changes, scope, now, atOnce = false } = options;
  /** Stays when a status changes: what happened does not. */
  const lasting = `${scope}:lasting`;
  type Fetch<T> = (signal: AbortSignal) => Promise<T>;
  const read = <T>(signal: AbortSignal | undefined, name: string, fetch: Fetch<T>): Promise<Kept<T>> =>
    cache.read(scope, name, fetch, { atOnce, signal });
  const readLasting = <T>(signal: AbortSignal | undefined, name: string, fetch: Fetch<T>): Promise<Kept<T>> =>
    cache.read(lasting, name, fetch, { atOnce, signal });

  async function list(project: Project, query: ErrorQuery, signal?: AbortSignal) {
    const kept = await read(signal, `list ${JSON.stringify(query)}`, (wanted) => backend.list(project, query, wanted));
    const items = kept.value.items.flatMap((known) => {
      const error = changes.apply(scope, known, kept.askedAt);
      // Only what we know to have changed goes: a tracker may have reasons of its own to show something.
      const gone = error !== known && query.status !== 'all' && error.status !== query.status;
      return gone ? [] : [error];
    });
    return marked({ ...kept, value: { ...kept.value, items } });
  }

  return {
    capabilities: async (project, signal) =>
      marked(await readLasting(signal, 'capabilities', (wanted) => backend.capabilities(project, wanted))),
    list,
    async get(project, errorId, signal) {
      const fetch: Fetch<TrackedErrorDetail> = (wanted) => backend.get(project, errorId, wanted);
      const isIncomplete = (detail: TrackedErrorDetail): boolean => detail.incomplete === true;
      const kept = await cache.read(scope, `error ${errorId}`, fetch, { atOnce, signal, isIncomplete });
      return marked({ ...kept, value: changes.apply(scope, kept.value, kept.askedAt) });
    },
    async listEvents(project, errorId, limit, cursor, signal) {
      const name = `events ${JSON.stringify([errorId, limit, cursor])}`;
      const fetch: Fetch<Page<EventSummary>> = (wanted) => backend.listEvents(project, errorId, limit, cursor, wanted);
      return marked(await readLasting(signal, name, fetch));
    },
    async event(project, errorId, eventId, signal) {
      const fetch: Fetch<TrackedEvent> = (wanted) => backend.event(project, errorId, eventId, wanted);
      return marked(await readLasting(signal, `event ${errorId} ${eventId}`, fetch));
    },
    async latestEvent(project, errorId, signal) {
      const fetch: Fetch<TrackedEvent> = (wanted) => backend.latestEvent(project, errorId, wanted);
      return marked(await readLasting(signal, `latest ${errorId}`, fetch));
    },
    releases: (project, query) => backend.releases(project, query),
    latestUsers: (project, errorId) => backend.latestUsers(project, errorId),
    filterValues: (project) => backend.filterValues(project),
    async setStatus(project, errorId, status) {
      try {
        const updated = await backend.setStatus(project, errorId, status);
        if (updated) changes.remember(scope, errorId, { status, at: now() });
        return updated;
      } finally {
        // Also after a failure: nobody knows whether the tracker did it.
        cache.expire(scope);
      }
    },
    merge: (project, errorIds) => backend.merge(project, errorIds),
    unmerge: (project, errorId, errorIds) => backend.unmerge(project, errorId, errorIds),
    externalUrl: (project) => backend.externalUrl(project),
  };
}
