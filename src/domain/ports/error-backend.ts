import type { Activity, Note, NoteRemover, StatusChange } from '../error-state.ts';
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
 * Reads errors of a project and changes their status, for any storage system. Unknown ids throw `not_found`, invalid
 * cursors `bad_request`. `staleSince` marks a cached answer of an unavailable source. Reads end early when their
 * `signal` aborts; callers ignore what they throw then.
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
  /** Throws `events_removed` for a known error without stored events. */
  latestEvent(project: Project, errorId: string, signal?: AbortSignal): Promise<TrackedEvent>;
  /**
   * False when the backend refused; throws when it is unavailable, and `unsupported_by_tracker` for details that a
   * tracker does not have. Continues after the client disconnected.
   */
  setStatus(project: Project, errorId: string, status: ErrorStatus, change?: StatusChange): Promise<boolean>;
  /** Page of the linked project in the external tracker; null for the integrated backend. */
  externalUrl(project: Project): Promise<string | null>;
}

/** Operations on errors that errgate stores. Unknown ids throw `not_found`. */
export interface IntegratedErrors {
  /** Users of the newest stored events, each with the newest event. */
  latestUsers(project: Project, errorId: string): Promise<UserOfEvent[]>;
  /** Id of the error that has a stored event, live or imported; null when none has. */
  errorOfEvent(project: Project, eventId: string): Promise<string | null>;
  /** Newest first, by first occurrence. */
  releases(project: Project, query: ReleaseQuery): Promise<Page<ReleaseHealth>>;
  filterValues(project: Project): Promise<FilterValues>;
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
  /** Throws `conflict` when the error has the maximum of notes. */
  addNote(project: Project, errorId: string, userId: number, text: string): Promise<Note>;
  /** Throws `forbidden` for an imported note, and for one of another author where `by` may delete own ones only. */
  removeNote(project: Project, errorId: string, noteId: string, by: NoteRemover): Promise<void>;
  /** Newest first. */
  activity(project: Project, errorId: string): Promise<Activity[]>;
}
