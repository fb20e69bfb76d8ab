import type { Counted, StatusChange, StatusDetails } from '../../errors/error-state.ts';
import type { ErrorSelection, TabCounts } from '../../search/error-query.ts';
import type { ErrorStatus } from '../../errors/error-status.ts';

/** Maximum of errors that one call of a bulk command takes. */
export const MAX_BULK_STEP = 100;

/** Maximum of errors that one bulk action changes; with more that match, the action is refused. */
export const MAX_BULK = 10_000;

/** Maximum of errors that one call of `rankErrors` works on. */
export const MAX_RANKED = 1_000;

/** State of an error before a bulk action, to take it back. */
export interface StatusBefore {
  readonly errorId: string;
  readonly status: ErrorStatus;
  /** Details of the status; null: none. */
  readonly details: StatusChange['details'] | null;
  readonly assigneeId: number | null;
  /** Whether it asked for a review. */
  readonly forReview: boolean;
}

/** Status that an earlier action has set. */
export interface StatusThen {
  readonly status: ErrorStatus;
  /** Null: none; absent: not compared. */
  readonly details?: StatusDetails | null;
}

/** Change of the status of many errors. */
export interface BulkStatusChange extends StatusChange {
  /** Errors that have another status or other details now are left as they are; absent: all are changed. */
  readonly from?: StatusThen;
  /** What had counted before `from` for the condition that is restored, by id; absent: it begins to count now. */
  readonly counted?: Readonly<Record<string, Counted>>;
}

/** What became of an error in a bulk action that may leave it as it is. */
export interface ChangedError extends StatusBefore {
  /** True: it differs from `from`, and was left as it is. */
  readonly skipped: boolean;
}

export interface ChangedStatus extends ChangedError {
  /** Details that the action sets; null: none. */
  readonly set: StatusDetails | null;
  /** What counted so far for its condition before; null: it had none that counts. */
  readonly counted: Counted | null;
}

/** Group of errors whose events are dropped, because its error was deleted for good. */
export interface DiscardedGroup {
  /** Number within the installation. */
  readonly id: number;
  readonly title: string;
  readonly type: string | null;
  readonly at: number;
  /** User that discarded it; null: unknown by now. */
  readonly userId: number | null;
}

/** Maximum of discarded groups per project; deleting for good throws `conflict` beyond it. */
export const MAX_DISCARDED = 1_000;

/**
 * What lists of errors need beside reading a page: counts, reviews, bulk actions and ranks. Ids of merged errors mean
 * their root; unknown ids are passed over.
 */
export interface ListStore {
  /** Counts the errors of each tab that fit the selection; its status and `forReview` are ignored. */
  countTabs(projectId: number, selection: ErrorSelection, now: number): Promise<TabCounts>;
  /**
   * Returns the states of the errors that a selection matches, in no order, with ids greater than `after`, lowest first.
   * At most `limit` of them, 1 to 1,000.
   */
  matchingErrors(
    projectId: number,
    selection: ErrorSelection,
    after: number,
    limit: number,
    now: number,
  ): Promise<StatusBefore[]>;
  /**
   * Like `setErrorStatus`, for up to MAX_BULK_STEP errors, on SQLite in one transaction. Returns the states before of
   * those that exist. A status and details that are set already are left as they are, and no activity is added; such
   * errors only count as looked at. A condition that counts begins again. `from` is compared within the write.
   */
  setErrorStatuses(
    projectId: number,
    errorIds: readonly string[],
    status: ErrorStatus,
    now: number,
    change?: BulkStatusChange,
  ): Promise<ChangedStatus[]>;
  /**
   * Assigns up to MAX_BULK_STEP errors to a member; null: to nobody. Returns the states before of those that exist; one
   * that is assigned so already is left as it is, and one whose assignee differs from `from`, if that is given, which is
   * compared within the write. Throws `bad_request` when the user is no member.
   */
  setAssignees(
    projectId: number,
    errorIds: readonly string[],
    assigneeId: number | null,
    userId: number | null,
    now: number,
    from?: number | null,
  ): Promise<ChangedError[]>;
  /** Returns those of up to MAX_BULK_STEP ids that no error of the project has. Merged errors keep theirs. */
  unknownErrors(projectId: number, errorIds: readonly string[]): Promise<string[]>;
  /**
   * Marks up to MAX_BULK_STEP errors as looked at, or as not: they then ask for a review from now on. Returns the ids of
   * the changed ones.
   */
  reviewErrors(projectId: number, errorIds: readonly string[], reviewed: boolean, now: number): Promise<string[]>;
  /**
   * Deletes up to MAX_BULK_STEP errors, merged ones with all members, and what belongs to them: events, reports, notes,
   * activities, links, facts that wait. Ids of events stay known, so that a repeat is not counted again. The next event
   * of such an error makes a new one; with `discard` it is dropped and counted as an outcome `discarded_error`. Returns
   * the number of deleted errors. Throws `conflict` beyond MAX_DISCARDED, before anything is deleted.
   */
  deleteErrors(
    projectId: number,
    errorIds: readonly string[],
    discard: boolean,
    userId: number | null,
    now: number,
  ): Promise<number>;
  /** Newest first. */
  discardedGroups(projectId: number): Promise<DiscardedGroup[]>;
  /** Takes events of the group again; false when it is unknown in the project. */
  restoreDiscarded(projectId: number, id: number): Promise<boolean>;
  /**
   * Brings ranks and totals of ranges up to date for errors with events since the last run, and for those whose oldest
   * hour left a range. Any gateway may call it at any time; calls that overlap do no harm. Returns the number of errors
   * worked on, at most MAX_RANKED; with as many, more may wait for the next call.
   */
  rankErrors(now: number): Promise<number>;
}
