import type {
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
import type { OutcomeCount } from '../digest.ts';
import type { ReleaseHealth, ReleaseQuery } from '../session.ts';

/**
 * Read views and the state changes people make. Every look-up is within one project. The id of an error that was
 * merged means the error it was merged into, everywhere.
 */
export interface ErrorStore {
  /** Keyset paging: rows that move meanwhile are neither doubled nor make others vanish. Throws `bad_request` for a cursor of another query. `now` places the frequency buckets. */
  listErrors(projectId: number, query: ErrorQuery, now: number): Promise<Page<TrackedError>>;
  /** How many errors of a project are in a status, merged ones not counted; counted up to `limit` only, which bounds the work. */
  countErrors(projectId: number, status: ErrorStatus, limit: number): Promise<number>;
  errorById(projectId: number, errorId: string, now: number): Promise<TrackedErrorDetail | null>;
  /** Newest first. Null when the error is unknown in the project. */
  listEvents(
    projectId: number,
    errorId: string,
    limit: number,
    cursor: string | null,
  ): Promise<Page<EventSummary> | null>;
  /** Null when unknown or its payload was pruned. */
  event(projectId: number, errorId: string, eventId: string): Promise<TrackedEvent | null>;
  latestEvent(projectId: number, errorId: string): Promise<TrackedEvent | null>;
  /**
   * Whom the newest MAX_EVENTS_FOR_USERS stored events name, newest first, fewer where payloads are large; those that
   * name nobody are left out. Null when the error is unknown in the project.
   */
  newestUsers(projectId: number, errorId: string): Promise<UserOfEvent[] | null>;
  /** Of a merged error: that of all its members. Resolving remembers max(now, newest received) so that a backlog taken earlier does not reopen it. False when unknown. */
  setErrorStatus(projectId: number, errorId: string, status: ErrorStatus, now: number): Promise<boolean>;
  /**
   * See the backend's port. Pointers go from greater numbers to smaller ones only, so that no order of requests can
   * make a cycle; counts never move. Null when any of the ids is unknown in the project.
   */
  mergeErrors(projectId: number, errorIds: readonly string[]): Promise<string | null>;
  unmergeErrors(projectId: number, errorId: string, errorIds: readonly string[] | null): Promise<Unmerged | null>;
  /**
   * Brings what merged errors show up to date with their members, wherever it is not; safe to repeat and to do twice at
   * once. Answers how many errors show something else now. To be called every second or so.
   */
  rollUpMerged(): Promise<number>;
  /** Outcome counts of whole hours, `since` inclusive and `until` exclusive (milliseconds), oldest first. */
  listOutcomes(projectId: number, since: number, until: number): Promise<OutcomeCount[]>;
  /** Newest first, by when they were first seen. `now` places the last 24 hours. Throws `bad_request` for a cursor of another query. */
  listReleases(projectId: number, query: ReleaseQuery, now: number): Promise<Page<ReleaseHealth>>;
  /** Costs the same however many events, errors and releases the project has. */
  filterValues(projectId: number): Promise<FilterValues>;
}
