import type { ReleaseBuild } from '../artifacts/build.ts';
import type { Activity, Note, NoteRemover, StatusChange } from '../errors/error-state.ts';
import type { EventOptions, EventPage } from '../events/event-list.ts';
import type { Project } from '../projects/project.ts';
import type { LinkedIssue } from '../projects/project-links.ts';
import type { ReleaseComparison, ReleaseErrorGroup, ReleaseNews } from '../releases/release-comparison.ts';
import type { ReportPage, ReportQuery } from '../events/report-list.ts';
import type { ReleaseDetail, ReleaseHealth, ReleaseQuery } from '../releases/session.ts';
import type { SimilarError } from '../errors/similar-error.ts';
import type {
  BulkStatusChange,
  ChangedError,
  ChangedStatus,
  DiscardedGroup,
  StatusBefore,
} from './stores/list-store.ts';
import type { TagTrend } from '../errors/tag-trend.ts';
import type { TimeRange } from '../search/time-range.ts';
import type { TrackedError, TrackedErrorDetail, Unmerged } from '../errors/tracked-error.ts';
import type { Capabilities, ErrorQuery, ErrorSelection, FilterValues, TabCounts } from '../search/error-query.ts';
import type { TrackedEvent, UserOfEvent } from '../events/tracked-event.ts';
import type { Page } from '../page.ts';
import type { ErrorStatus } from '../errors/error-status.ts';
import type { ReportOfEvent } from '../events/user-report.ts';

/**
 * Reads errors of a project and changes their status, for any storage system. Unknown ids throw `not_found`, invalid
 * cursors `bad_request`. `staleSince` marks a cached answer of an unavailable source. Reads end early when their
 * `signal` aborts; callers ignore what they throw then.
 */
export interface ErrorBackend {
  capabilities(project: Project, signal?: AbortSignal): Promise<Capabilities>;
  list(project: Project, query: ErrorQuery, signal?: AbortSignal): Promise<Page<TrackedError>>;
  /** `range`: see `ErrorStore.errorById`; throws `unsupported_by_tracker` where a tracker has no such counts. */
  get(project: Project, errorId: string, signal?: AbortSignal, range?: TimeRange): Promise<TrackedErrorDetail>;
  /** Throws `unsupported_by_tracker` for a filter that a tracker does not have. */
  listEvents(
    project: Project,
    errorId: string,
    limit: number,
    cursor: string | null,
    options?: EventOptions,
    signal?: AbortSignal,
  ): Promise<EventPage>;
  event(project: Project, errorId: string, eventId: string, signal?: AbortSignal): Promise<TrackedEvent>;
  /** Throws `events_removed` for a known error without stored events. */
  latestEvent(project: Project, errorId: string, signal?: AbortSignal): Promise<TrackedEvent>;
  /** The first of the stored events. Throws as `latestEvent`, and `unsupported_by_tracker` where a tracker has none. */
  oldestEvent(project: Project, errorId: string, signal?: AbortSignal): Promise<TrackedEvent>;
  /**
   * False when the backend refused; throws when it is unavailable, and `unsupported_by_tracker` for details that a
   * tracker does not have. Continues after the client disconnected.
   */
  setStatus(project: Project, errorId: string, status: ErrorStatus, change?: StatusChange): Promise<boolean>;
  /**
   * Sets the status of up to MAX_BULK_STEP errors. A failure of one is in its result, so that the others go on; errors
   * that are unknown have none. One that differs from `from` is left as it is. Throws only what fails for all.
   */
  setStatuses(
    project: Project,
    errorIds: readonly string[],
    status: ErrorStatus,
    change?: BulkStatusChange,
  ): Promise<StatusResult[]>;
  /** Page of the linked project in the external tracker; null for the integrated backend. */
  externalUrl(project: Project): Promise<string | null>;
}

/** `set` absent: the tracker does not tell which details it stored. */
export type FormerStatus = Omit<ChangedStatus, 'errorId' | 'assigneeId' | 'set'> & Partial<Pick<ChangedStatus, 'set'>>;

/** What became of one error of a bulk action. */
export type StatusResult =
  | { readonly errorId: string; readonly before: FormerStatus; readonly failure: null }
  /** Why it was not changed, as a sentence. */
  | { readonly errorId: string; readonly before: null; readonly failure: string };

/** A release, and what happened in it. `complete` false: only the newest of its errors were read. */
export interface ReleaseReport extends ReleaseNews {
  readonly detail: ReleaseDetail;
  readonly build: ReleaseBuild;
  readonly resolved: ReleaseErrorGroup;
  readonly complete: boolean;
}

export interface ComparedReleases extends ReleaseComparison {
  readonly base: ReleaseHealth;
  readonly head: ReleaseHealth;
  readonly complete: boolean;
}

/** Operations on errors that errgate stores. Unknown ids throw `not_found`. */
export interface IntegratedErrors {
  /** Users of the newest stored events, each with the newest event. */
  latestUsers(project: Project, errorId: string): Promise<UserOfEvent[]>;
  /** Reports about the newest stored events, newest first. */
  latestReports(project: Project, errorId: string): Promise<ReportOfEvent[]>;
  /** Events of the project that users wrote about, by their newest report, newest first. */
  reports(project: Project, query: ReportQuery): Promise<ReportPage>;
  /** Counts the values of a tag over time, among the newest stored events. */
  tagTrend(project: Project, errorId: string, key: string, signal?: AbortSignal): Promise<TagTrend>;
  /** Id of the error that has a stored event, live or imported; null when none has. */
  errorOfEvent(project: Project, eventId: string): Promise<string | null>;
  /** Newest first, by first occurrence. */
  releases(project: Project, query: ReleaseQuery): Promise<Page<ReleaseHealth>>;
  /**
   * Throws `not_found` for a release that neither events, sessions nor builds brought, and one that was never seen in the
   * environment.
   */
  release(project: Project, release: string, environment: string | null): Promise<ReleaseReport>;
  /**
   * Throws as `release`, for either, also when a build alone announced it. `base` null: the release before `head`, see
   * `ReleaseDetail.previous`; throws `bad_request` when there is none.
   */
  compareReleases(
    project: Project,
    base: string | null,
    head: string,
    environment: string | null,
  ): Promise<ComparedReleases>;
  /** Lets errors that are resolved in one of these commits alone become resolved in the release that has them. */
  resolveByCommits(project: Project, release: string, commits: readonly string[]): Promise<void>;
  /** See `ErrorStore.filterValues`. */
  filterValues(project: Project, environment?: string | null): Promise<FilterValues>;
  /** See `ErrorStore.releaseNames`. */
  releaseNames(project: Project): Promise<string[]>;
  /** Names of the tags of the errors seen last, by name. */
  tagNames(project: Project): Promise<string[]>;
  /** Values of a tag that begin with a prefix in any case, of the errors seen last, by name. */
  tagValues(project: Project, key: string, prefix: string, names: boolean): Promise<string[]>;
  countTabs(project: Project, selection: ErrorSelection): Promise<TabCounts>;
  /** See `ListStore.matchingErrors`. */
  matching(project: Project, selection: ErrorSelection, after: number, limit: number): Promise<StatusBefore[]>;
  /** Errors that may have the same cause, at most MAX_SIMILAR; those with most in common first. */
  similar(project: Project, errorId: string): Promise<SimilarError[]>;
  /** Marks an error as looked at, or as not. */
  review(project: Project, errorId: string, reviewed: boolean): Promise<void>;
  /** Up to MAX_BULK_STEP errors; unknown ids are passed over. Returns the ids of the changed ones. */
  reviewAll(project: Project, errorIds: readonly string[], reviewed: boolean): Promise<string[]>;
  /** Up to MAX_BULK_STEP errors; see `ListStore.setAssignees`. Throws as `assign`. */
  assignAll(
    project: Project,
    errorIds: readonly string[],
    assigneeId: number | null,
    userId: number,
    from?: number | null,
  ): Promise<ChangedError[]>;
  /** See `ListStore.unknownErrors`. */
  unknown(project: Project, errorIds: readonly string[]): Promise<string[]>;
  /** Deletes an error with all that belongs to it. `discard`: its events are dropped from now on. */
  remove(project: Project, errorId: string, discard: boolean, userId: number): Promise<void>;
  /** Up to MAX_BULK_STEP errors; unknown ids are passed over. Returns the number of deleted ones. */
  removeAll(project: Project, errorIds: readonly string[], discard: boolean, userId: number): Promise<number>;
  /** Newest first. */
  discarded(project: Project): Promise<DiscardedGroup[]>;
  /** Takes events of a discarded error again. */
  restoreDiscarded(project: Project, id: number): Promise<void>;
  /**
   * Merges the given errors into the one with the lowest number and returns its id. Already merged errors stay. Throws
   * `bad_request` when all ids mean the same error or more than MAX_MERGED would be merged.
   */
  merge(project: Project, errorIds: readonly string[], userId?: number | null): Promise<string>;
  /**
   * Separates errors from their root. Null: the named error, or all when it is the root. Returns the errors that are
   * separate now. Throws as `merge`, and for the root among `errorIds`.
   */
  unmerge(
    project: Project,
    errorId: string,
    errorIds: readonly string[] | null,
    userId?: number | null,
  ): Promise<Unmerged>;
  /** Throws `bad_request` when the assignee is no member of the project. */
  assign(project: Project, errorId: string, assigneeId: number | null, userId: number): Promise<void>;
  /** Oldest first. */
  notes(project: Project, errorId: string): Promise<Note[]>;
  /** Throws `conflict` when the error has the maximum of notes. `agent`: see `StatusChange`. */
  addNote(project: Project, errorId: string, userId: number, text: string, agent?: string): Promise<Note>;
  /** Throws `forbidden` for an imported note, and for one of another author where `by` may delete own ones only. */
  removeNote(project: Project, errorId: string, noteId: string, by: NoteRemover): Promise<void>;
  /** Newest first. */
  activity(project: Project, errorId: string): Promise<Activity[]>;
  /** Issues on the host that belong to an error, oldest first. */
  linkedIssues(project: Project, errorId: string): Promise<LinkedIssue[]>;
  /** The same address again changes nothing. Throws `conflict` when the error has the maximum of issues. */
  linkIssue(
    project: Project,
    errorId: string,
    issue: Pick<LinkedIssue, 'url' | 'title'>,
    userId: number,
  ): Promise<LinkedIssue>;
  unlinkIssue(project: Project, errorId: string, id: number, userId: number): Promise<void>;
}
