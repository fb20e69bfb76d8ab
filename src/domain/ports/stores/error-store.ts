import type { TrackedError, TrackedErrorDetail, Unmerged } from '../../errors/tracked-error.ts';
import type { ErrorQuery, FilterValues } from '../../search/error-query.ts';
import type { EventSummary, TrackedEvent, UserOfEvent } from '../../events/tracked-event.ts';
import type { Page } from '../../page.ts';
import type { ErrorStatus } from '../../errors/error-status.ts';
import type { StatusChange } from '../../errors/error-state.ts';
import type { EventWithBody } from '../../events/event-list.ts';
import type { ReportedEvent } from '../../events/report-list.ts';
import type { ReportOfEvent } from '../../events/user-report.ts';
import type { OutcomeCount } from '../../ingest/digest.ts';
import type { TimeRange } from '../../search/time-range.ts';

/**
 * Reads errors and changes their state on request. Every look-up is within one project. The id of a merged error always
 * means its root error.
 */
export interface ErrorStore {
  /**
   * Keyset paging: rows that change meanwhile cause no duplicates and hide no other rows. Throws `bad_request` for a
   * cursor of another query. `now` sets the frequency buckets.
   */
  listErrors(projectId: number, query: ErrorQuery, now: number): Promise<Page<TrackedError>>;
  /** `range`: that of `frequency` and `rangeCount`; absent: 24 hours, and no count. */
  errorById(projectId: number, errorId: string, now: number, range?: TimeRange): Promise<TrackedErrorDetail | null>;
  /** Newest first. Null when the error is unknown in the project. */
  listEvents(
    projectId: number,
    errorId: string,
    limit: number,
    cursor: string | null,
  ): Promise<Page<EventSummary> | null>;
  /**
   * Like `listEvents` and with its cursors, with the bodies. A page ends after MAX_BYTES_OF_PAGE of bodies: it may have
   * fewer rows than `limit`, at least one, although more follow.
   */
  readEvents(
    projectId: number,
    errorId: string,
    limit: number,
    cursor: string | null,
  ): Promise<Page<EventWithBody> | null>;
  /** Null when the event is unknown or its payload was pruned. */
  event(projectId: number, errorId: string, eventId: string): Promise<TrackedEvent | null>;
  latestEvent(projectId: number, errorId: string): Promise<TrackedEvent | null>;
  /** The first of the events that are still stored. */
  oldestEvent(projectId: number, errorId: string): Promise<TrackedEvent | null>;
  /**
   * Users of the newest MAX_EVENTS_FOR_USERS stored events, newest first; fewer when payloads are large. Events without
   * a user are skipped. Null when the error is unknown in the project.
   */
  newestUsers(projectId: number, errorId: string): Promise<UserOfEvent[] | null>;
  /** Reports about at most MAX_EVENTS_FOR_REPORTS events by their ids, newest first, at most `limit`. */
  reportsOfEvents(projectId: number, eventIds: readonly string[], limit: number): Promise<ReportOfEvent[]>;
  /**
   * Events with reports, by their newest report, newest first; each has all its reports. Throws `bad_request` for a
   * cursor of another list.
   */
  listReports(projectId: number, limit: number, cursor: string | null): Promise<Page<ReportedEvent>>;
  /**
   * Sets the status, for a merged error of all its members. Resolving stores max(now, newest received), so that the
   * earlier backlog does not reopen it. An event reopens it that happened later and, with a release in `details`, has a
   * newer release (docs/adr/0015). Conditions to end `ignored` begin to count now. False when unknown. Throws
   * `bad_request` for the latest release of a project without one.
   */
  setErrorStatus(
    projectId: number,
    errorId: string,
    status: ErrorStatus,
    now: number,
    change?: StatusChange,
  ): Promise<boolean>;
  /**
   * See `IntegratedErrors.merge`. Pointers lead from higher to lower numbers, so requests in any order make no cycle.
   * Counts never move. Null when an id is unknown in the project. `userId`: for the activity log; null: a command.
   */
  mergeErrors(projectId: number, errorIds: readonly string[], userId?: number | null): Promise<string | null>;
  unmergeErrors(
    projectId: number,
    errorId: string,
    errorIds: readonly string[] | null,
    userId?: number | null,
  ): Promise<Unmerged | null>;
  /**
   * Updates outdated totals of merged errors from their members. Idempotent, also when run concurrently. Returns the
   * number of changed errors. Called about every second.
   */
  rollUpMerged(): Promise<number>;
  /** Outcome counts per hour, `since` inclusive and `until` exclusive (milliseconds), oldest first. */
  listOutcomes(projectId: number, since: number, until: number): Promise<OutcomeCount[]>;
  /**
   * Cost is independent of the number of events, errors and releases. `environment`: only releases with events or
   * sessions in it; absent or null: all.
   */
  filterValues(projectId: number, environment?: string | null): Promise<FilterValues>;
  /** Releases with events or sessions, newest first by first occurrence; at most MAX_RELEASE_NAMES. */
  releaseNames(projectId: number): Promise<string[]>;
  /** Names of the tags of the errors seen last, at most MAX_TAG_NAMES, by name. Cost as of `filterValues`. */
  tagNames(projectId: number): Promise<string[]>;
  /**
   * Values of a tag that begin with `prefix` in any case, of the errors seen last; at most MAX_FILTER_VALUES, by name.
   * `names`: names of products come first, without the version of a value: `Firefox` of `Firefox 140`.
   * Cost as of `filterValues`.
   */
  tagValues(projectId: number, key: string, prefix: string, names: boolean): Promise<string[]>;
}
