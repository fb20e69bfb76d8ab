import { AppError } from '../domain/app-error.ts';
import { MARKS } from '../domain/errors/error-marks.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { ErrorBackend, IntegratedErrors } from '../domain/ports/error-backend.ts';
import type { BuildStore } from '../domain/ports/stores/build-store.ts';
import type { ErrorStore } from '../domain/ports/stores/error-store.ts';
import type { ImportStore } from '../domain/ports/stores/import-store.ts';
import type { ListStore } from '../domain/ports/stores/list-store.ts';
import type { ReleaseStore } from '../domain/ports/stores/release-store.ts';
import type { TriageStore } from '../domain/ports/stores/triage-store.ts';
import type { Project } from '../domain/projects/project.ts';
import type { TimeRange } from '../domain/search/time-range.ts';
import { ERROR_FILTERS, ERROR_SORTS, type ErrorQuery } from '../domain/search/error-query.ts';
import type { TrackedEvent, UserOfEvent } from '../domain/events/tracked-event.ts';
import { SEARCH_KEYS } from '../domain/search/search-keys.ts';
import { compareReleases, groupOf, MAX_IN_GROUP, newsOf } from '../domain/releases/release-comparison.ts';
import { MAX_EVENTS_FOR_REPORTS, MAX_REPORTS_OF_ERROR } from '../domain/events/user-report.ts';
import { identityOf } from './digest/user-hash.ts';
import { listEvents } from './list-events.ts';
import { listReports } from './list-reports.ts';
import { found } from './found.ts';
import { announcedOnly, readReleaseBuild, type BuildReader } from './release-build.ts';
import { similarErrors } from './similar-errors.ts';
import { readTagTrend } from './tag-trend.ts';
import { createLinkedIssues, type IssueStore } from './triage/linked-issues.ts';
import { resolveByAnnounced } from './triage/resolve-by-commit.ts';
import { createTriage } from './triage/triage.ts';

/** Query that finds an error by an event of its own. */
const OF_EVENT: Omit<ErrorQuery, 'search'> = {
  ...{ status: 'all', sort: 'last_seen', environment: null, release: null, level: null, cursor: null },
  limit: 5,
};

/** Parts of the store that this backend reads and changes. */
type BackendStore = ErrorStore &
  ListStore &
  ReleaseStore &
  TriageStore &
  IssueStore &
  BuildReader &
  Pick<BuildStore, 'releasesWithCommit'> &
  Pick<ImportStore, 'findByExternalId'>;

/**
 * Creates the backend of projects whose errors errgate stores itself: views over the store. An id that no error has may
 * be the one that an imported error had in its former tracker.
 */
export function createIntegratedBackend(store: BackendStore, clock: Clock): ErrorBackend & IntegratedErrors {
  const errorById = (project: Project, errorId: string, range?: TimeRange) =>
    store.errorById(project.id, errorId, clock.now(), range);

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

  const get = async (project: Project, errorId: string, range?: TimeRange) =>
    found(await underFormerId(project, errorId, (id) => errorById(project, id, range)), 'error');

  /** Returns the first or last event. Throws `events_removed` for an error without stored ones. */
  async function endOf(
    project: Project,
    errorId: string,
    read: (errorId: string) => Promise<TrackedEvent | null>,
  ): Promise<TrackedEvent> {
    const event = await underFormerId(project, errorId, read);
    if (event !== null) return event;
    await get(project, errorId);
    throw new AppError('events_removed', '404 Not found: the stored events of this error were removed by retention');
  }

  return {
    ...createLinkedIssues(store, clock, { get: (project, errorId) => get(project, errorId), underFormerId }),
    ...createTriage(store, clock, { get: (project, errorId) => get(project, errorId), underFormerId }),
    capabilities: async () => ({
      sorts: ERROR_SORTS,
      filters: ERROR_FILTERS,
      conditions: SEARCH_KEYS,
      marks: MARKS,
      merge: true,
      releases: true,
      statusDetails: true,
      unstableSorts: [],
    }),
    list: (project, query) => store.listErrors(project.id, query, clock.now()),
    get: (project, errorId, _signal, range) => get(project, errorId, range),
    async listEvents(project, errorId, limit, cursor, options, signal) {
      const read = (id: string) => listEvents(store, project.id, id, { limit, cursor, options, signal });
      return found(await underFormerId(project, errorId, read), 'error');
    },
    event: async (project, errorId, eventId) =>
      found(await underFormerId(project, errorId, (id) => store.event(project.id, id, eventId)), 'event'),
    latestEvent: (project, errorId) => endOf(project, errorId, (id) => store.latestEvent(project.id, id)),
    oldestEvent: (project, errorId) => endOf(project, errorId, (id) => store.oldestEvent(project.id, id)),
    async latestUsers(project, errorId) {
      const latest = new Map<string, UserOfEvent>();
      const users = await underFormerId(project, errorId, (id) => store.newestUsers(project.id, id));
      for (const named of found(users, 'error')) {
        const identity = identityOf(named.user);
        if (identity !== null && !latest.has(identity)) latest.set(identity, named);
      }
      return [...latest.values()];
    },
    async latestReports(project, errorId) {
      const list = (id: string) => store.listEvents(project.id, id, MAX_EVENTS_FOR_REPORTS, null);
      const { items } = found(await underFormerId(project, errorId, list), 'error');
      const ids = items.map(({ eventId }) => eventId);
      return ids.length === 0 ? [] : store.reportsOfEvents(project.id, ids, MAX_REPORTS_OF_ERROR);
    },
    async tagTrend(project, errorId, key, signal) {
      const read = (id: string) => readTagTrend(store, project.id, id, key, signal);
      return found(await underFormerId(project, errorId, read), 'error');
    },
    reports: (project, query) => listReports(store, project.id, query),
    async errorOfEvent(project, eventId) {
      const { items } = await store.listErrors(project.id, { ...OF_EVENT, search: eventId }, clock.now());
      // A title may hold the id as well.
      for (const { id } of items) if ((await store.event(project.id, id, eventId)) !== null) return id;
      return null;
    },
    releases: (project, query) => store.listReleases(project.id, query, clock.now()),
    async release(project, release, environment) {
      const [seen, build] = await Promise.all([
        store.releaseByName(project.id, release, environment, clock.now()),
        readReleaseBuild(store, project.id, release),
      ]);
      const { announced } = build;
      const unseen = announced === null || environment !== null ? null : announcedOnly(announced);
      const detail = found(seen ?? unseen, 'release');
      const { previous } = detail;
      const [{ errors, complete }, resolved] = await Promise.all([
        store.releaseErrors(project.id, previous === null ? [release] : [previous, release], environment),
        store.resolvedInRelease(project.id, release, previous, MAX_IN_GROUP),
      ]);
      const both = previous === null ? errors.map((each) => ({ ...each, counts: [0, ...each.counts] })) : errors;
      return { detail, build, ...newsOf(release, both), resolved: groupOf(resolved.errors), complete };
    },
    resolveByCommits: (project, release, commits) =>
      resolveByAnnounced(store, project.id, commits, release, clock.now()),
    async compareReleases(project, base, head, environment) {
      const read = async (name: string) =>
        found(await store.releaseByName(project.id, name, environment, clock.now()), `release "${name}"`);
      const to = await read(head);
      const before = base ?? to.previous;
      if (before === null) {
        throw new AppError(
          'bad_request',
          `there is no release before "${head}": name the release to compare with in base`,
        );
      }
      const of = await read(before);
      const { errors, complete } = await store.releaseErrors(project.id, [before, head], environment);
      return { base: of, head: to, complete, ...compareReleases(errors, [of.sessions, to.sessions]) };
    },
    filterValues: (project, environment) => store.filterValues(project.id, environment),
    releaseNames: (project) => store.releaseNames(project.id),
    tagNames: (project) => store.tagNames(project.id),
    tagValues: (project, key, prefix, names) => store.tagValues(project.id, key, prefix, names),
    similar: async (project, errorId) => similarErrors(store, clock.now(), await get(project, errorId)),
    merge: async (project, errorIds, userId) => found(await store.mergeErrors(project.id, errorIds, userId), 'error'),
    unmerge: async (project, errorId, errorIds, userId) =>
      found(await store.unmergeErrors(project.id, errorId, errorIds, userId), 'error'),
    externalUrl: async () => null,
  };
}
