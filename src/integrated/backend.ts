import { AppError } from '../domain/app-error.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { ErrorBackend, IntegratedErrors } from '../domain/ports/error-backend.ts';
import type { ErrorStore } from '../domain/ports/error-store.ts';
import { ERROR_FILTERS, ERROR_SORTS, type UserOfEvent } from '../domain/tracked-error.ts';
import { identityOf } from './digest/user-hash.ts';

function found<T>(value: T | null, what: string): T {
  if (value === null) throw new AppError('not_found', `there is no such ${what} in this project`);
  return value;
}

/** Creates the backend of projects whose errors errgate stores itself: views over the store. */
export function createIntegratedBackend(store: ErrorStore, clock: Clock): ErrorBackend & IntegratedErrors {
  return {
    capabilities: async () => ({
      sorts: ERROR_SORTS,
      filters: ERROR_FILTERS,
      merge: true,
      releases: true,
      unstableSorts: [],
    }),
    list: (project, query) => store.listErrors(project.id, query, clock.now()),
    get: async (project, errorId) => found(await store.errorById(project.id, errorId, clock.now()), 'error'),
    listEvents: async (project, errorId, limit, cursor) =>
      found(await store.listEvents(project.id, errorId, limit, cursor), 'error'),
    event: async (project, errorId, eventId) => found(await store.event(project.id, errorId, eventId), 'event'),
    async latestEvent(project, errorId) {
      const latest = await store.latestEvent(project.id, errorId);
      if (latest !== null) return latest;
      found(await store.errorById(project.id, errorId, clock.now()), 'error');
      throw new AppError('events_removed', '404 Not found: the stored events of this error were removed by retention');
    },
    async latestUsers(project, errorId) {
      const latest = new Map<string, UserOfEvent>();
      for (const named of found(await store.newestUsers(project.id, errorId), 'error')) {
        const identity = identityOf(named.user);
        if (identity !== null && !latest.has(identity)) latest.set(identity, named);
      }
      return [...latest.values()];
    },
    releases: (project, query) => store.listReleases(project.id, query, clock.now()),
    filterValues: (project) => store.filterValues(project.id),
    setStatus: async (project, errorId, status) => {
      const known = await store.setErrorStatus(project.id, errorId, status, clock.now());
      return found(known ? known : null, 'error');
    },
    merge: async (project, errorIds) => found(await store.mergeErrors(project.id, errorIds), 'error'),
    unmerge: async (project, errorId, errorIds) =>
      found(await store.unmergeErrors(project.id, errorId, errorIds), 'error'),
    externalUrl: async () => null,
  };
}
