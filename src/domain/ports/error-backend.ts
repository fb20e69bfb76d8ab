import type { Project } from '../project.ts';
import type { ReleaseHealth, ReleaseQuery } from '../session.ts';
import type {
  Capabilities,
  ErrorQuery,
  ErrorStatus,
  EventSummary,
  FilterValues,
  Page,
  TrackedError,
  TrackedErrorDetail,
  TrackedEvent,
  Unmerged,
  UserOfEvent,
} from '../tracked-error.ts';

/**
 * Where a project's errors are read and settled, whichever system stores them. Unknown ids throw `not_found`, bad
 * cursors `bad_request`. `staleSince` marks an answer from a copy while its source is away. Reads end early when
 * their `signal` is aborted, and what they throw then is to be ignored.
 */
export interface ErrorBackend {
  capabilities(project: Project, signal?: AbortSignal): Promise<Capabilities>;
  list(project: Project, query: ErrorQuery, signal?: AbortSignal): Promise<Page<TrackedError>>;
  get(project: Project, errorId: string, signal?: AbortSignal): Promise<TrackedErrorDetail>;
  listEvents(
    project: Project,
    errorId: string,
    limit: number,
    cursor: string | null,
    signal?: AbortSignal,
  ): Promise<Page<EventSummary>>;
  event(project: Project, errorId: string, eventId: string, signal?: AbortSignal): Promise<TrackedEvent>;
  /** Throws `events_removed` where the error is known, but retention left none of its events. */
  latestEvent(project: Project, errorId: string, signal?: AbortSignal): Promise<TrackedEvent>;
  /** False when the backend refused; throws when it could not be asked. Goes on when the caller has gone. */
  setStatus(project: Project, errorId: string, status: ErrorStatus): Promise<boolean>;
  /** The linked project's page in the external tracker; null for the integrated backend. */
  externalUrl(project: Project): Promise<string | null>;
}

/** What errgate does only with errors that it stores itself. Unknown ids throw `not_found`. */
export interface IntegratedErrors {
  /** People whom the newest stored events name, each with the newest of those. */
  latestUsers(project: Project, errorId: string): Promise<UserOfEvent[]>;
  /** Newest first, by when they were first seen. */
  releases(project: Project, query: ReleaseQuery): Promise<Page<ReleaseHealth>>;
  filterValues(project: Project): Promise<FilterValues>;
  /**
   * Makes one error of the given ones: that of the least number, whose id is the answer. Merging what is merged
   * already changes nothing. Throws `bad_request` when all ids mean the same error or more than MAX_MERGED would be one.
   */
  merge(project: Project, errorIds: readonly string[]): Promise<string>;
  /**
   * Takes errors out of the one that they were merged into; null: the one named, or all when that is the root. The
   * answer lists those that stand alone now. Throws as `merge` does, and for the root among `errorIds`.
   */
  unmerge(project: Project, errorId: string, errorIds: readonly string[] | null): Promise<Unmerged>;
}
