import { AppError } from '../domain/app-error.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { ErrorBackend, IntegratedErrors } from '../domain/ports/error-backend.ts';
import type { ErrorStore } from '../domain/ports/error-store.ts';
import type { ImportStore } from '../domain/ports/import-store.ts';
import type { TriageStore } from '../domain/ports/triage-store.ts';
import type { Project } from '../domain/project.ts';
import { ERROR_FILTERS, ERROR_SORTS, type ErrorQuery, type UserOfEvent } from '../domain/tracked-error.ts';
import { identityOf } from './digest/user-hash.ts';

function found<T>(value: T | null, what: string): T {
  if (value === null) throw new AppError('not_found', `there is no such ${what} in this project`);
  return value;
}

/** Query that finds an error by an event of its own. */
const OF_EVENT: Omit<ErrorQuery, 'search'> = {
  ...{ status: 'all', sort: 'last_seen', environment: null, release: null, level: null, cursor: null },
  limit: 5,
};

/** Parts of the store that this backend reads and changes. */
type BackendStore = ErrorStore & TriageStore & Pick<ImportStore, 'findByExternalId'>;

/**
 * Creates the backend of projects whose errors errgate stores itself: views over the store. An id that no error has may
 * be the one that an imported error had in its former tracker.
 */
export function createIntegratedBackend(store: BackendStore, clock: Clock): ErrorBackend & IntegratedErrors {
  const errorById = (project: Project, errorId: string) => store.errorById(project.id, errorId, clock.now());

  /** Calls again with the error's own id where the first call found nothing under a former id. */
  async function underFormerId<T>(
    project: Project,
    errorId: string,
    call: (errorId: string) => Promise<T | null>,
  ): Promise<T | null> {
    const direct = await call(errorId);
    if (direct !== null) return direct;
    const [error, another] = await store.findByExternalId(project.id, errorId);
    return error === undefined || another !== undefined ? null : call(error.errorId);
  }

  const get = async (project: Project, errorId: string) =>
    found(await underFormerId(project, errorId, (id) => errorById(project, id)), 'error');
  return {
    capabilities: async () => ({
      sorts: ERROR_SORTS,
      filters: ERROR_FILTERS,
      merge: true,
      releases: true,
      unstableSorts: [],
    }),
    list: (project, query) => store.listErrors(project.id, query, clock.now()),
    get,
    listEvents: async (project, errorId, limit, cursor) =>
      found(await underFormerId(project, errorId, (id) => store.listEvents(project.id, id, limit, cursor)), 'error'),
    event: async (project, errorId, eventId) =>
      found(await underFormerId(project, errorId, (id) => store.event(project.id, id, eventId)), 'event'),
    async latestEvent(project, errorId) {
      const latest = await underFormerId(project, errorId, (id) => store.latestEvent(project.id, id));
      if (latest !== null) return latest;
      await get(project, errorId);
      throw new AppError('events_removed', '404 Not found: the stored events of this error were removed by retention');
    },
    async latestUsers(project, errorId) {
      const latest = new Map<string, UserOfEvent>();
      const users = await underFormerId(project, errorId, (id) => store.newestUsers(project.id, id));
      for (const named of found(users, 'error')) {
        const identity = identityOf(named.user);
        if (identity !== null && !latest.has(identity)) latest.set(identity, named);
      }
      return [...latest.values()];
    },
    async errorOfEvent(project, eventId) {
      const { items } = await store.listErrors(project.id, { ...OF_EVENT, search: eventId }, clock.now());
      // A title may hold the id as well.
      for (const { id } of items) if ((await store.event(project.id, id, eventId)) !== null) return id;
      return null;
    },
    releases: (project, query) => store.listReleases(project.id, query, clock.now()),
    filterValues: (project) => store.filterValues(project.id),
    setStatus: async (project, errorId, status, change) => {
      const set = async (id: string) =>
        (await store.setErrorStatus(project.id, id, status, clock.now(), change)) || null;
      return found(await underFormerId(project, errorId, set), 'error');
    },
    merge: async (project, errorIds, userId) => found(await store.mergeErrors(project.id, errorIds, userId), 'error'),
    unmerge: async (project, errorId, errorIds, userId) =>
      found(await store.unmergeErrors(project.id, errorId, errorIds, userId), 'error'),
    async assign(project, errorId, assigneeId, userId) {
      const set = async (id: string) =>
        (await store.setAssignee(project.id, id, assigneeId, userId, clock.now())) || null;
      found(await underFormerId(project, errorId, set), 'error');
    },
    notes: async (project, errorId) =>
      found(await underFormerId(project, errorId, (id) => store.listNotes(project.id, id)), 'error'),
    async addNote(project, errorId, userId, text) {
      const add = (id: string) => store.addNote(project.id, id, userId, text, clock.now());
      return found(await underFormerId(project, errorId, add), 'error');
    },
    async removeNote(project, errorId, noteId, by) {
      if (noteId.startsWith('imported:')) throw new AppError('forbidden', 'an imported note cannot be deleted');
      const { id } = await get(project, errorId);
      const removal = await store.removeNote(project.id, id, noteId, by, clock.now());
      if (removal === 'not_own') throw new AppError('forbidden', 'only its author and maintainers may delete a note');
      found(removal === 'unknown' ? null : removal, 'note');
    },
    activity: async (project, errorId) =>
      found(await underFormerId(project, errorId, (id) => store.listActivity(project.id, id)), 'error'),
    externalUrl: async () => null,
  };
}
