import type { ErrorMarks, Mark } from './error-marks.ts';
import type { Person, StatusDetails } from './error-state.ts';
import { ERROR_STATUSES, type ErrorStatus } from './error-status.ts';
import type { ExternalId, ImportedOrigin } from './error-origin.ts';
import type { EventUser, Level, NormalisedEvent } from './event.ts';
import type { EventColumns } from './event-columns.ts';
import type { SearchCondition } from './search-condition.ts';
import type { SearchKey } from './search-keys.ts';
import type { TimeRange } from './time-range.ts';
import type { UserReport } from './user-report.ts';

export { ERROR_STATUSES, type ErrorStatus };

/** Checks for a valid error id: a number, or in external trackers 1 to 64 letters, digits, `-` and `_`. */
export function isErrorId(text: string): boolean {
  return /^[\w-]{1,64}$/.test(text);
}

/**
 * `matters`: what to look at first (docs/adr/0017). `frequency`: events, with a range those within it. Both are up to
 * RANKS_EVERY_MS late.
 */
export const ERROR_SORTS = ['last_seen', 'first_seen', 'frequency', 'users', 'matters'] as const;
export type ErrorSort = (typeof ERROR_SORTS)[number];

/** Answer that may be outdated, because its source is unavailable or slow. */
export interface MaybeStale {
  /** Time of the cached answer in milliseconds; absent for a current one. */
  readonly staleSince?: number;
}

/** Bucket start in epoch seconds, and the number of events in the bucket. */
export type FrequencyPoint = [startSeconds: number, count: number];

/** Names of a release in an external tracker, in addition to its version. */
export interface TrackerRelease {
  readonly shortVersion: string | null;
  /** Id of its newest commit. */
  readonly lastCommit: string | null;
}

/** Fields that only external trackers have; null when not reported. */
export interface TrackerFacts {
  /** Project id in the tracker, which may exceed 2^53. */
  readonly projectId: string | null;
  readonly projectName: string | null;
  readonly projectSlug: string | null;
  /** Short name in the tracker: `SHOP-1A`. */
  readonly shortId: string | null;
  readonly logger: string | null;
  readonly firstRelease: TrackerRelease | null;
  readonly lastRelease: TrackerRelease | null;
}

/** Group of events, in the same form for both backends. Values unknown to a backend are null. */
export interface TrackedError {
  /** Decimal number as text; in external trackers 1 to 64 letters, digits, `-` and `_`. */
  readonly id: string;
  readonly projectId: number;
  readonly type: string | null;
  readonly title: string;
  readonly message: string | null;
  readonly culprit: string | null;
  readonly level: Level | null;
  readonly platform: string | null;
  readonly status: ErrorStatus;
  /** What the status waits for; null: nothing, or not reported by the tracker. */
  readonly statusDetails: StatusDetails | null;
  /** Member of the project; null: nobody, and always for external trackers. */
  readonly assignee: Person | null;
  readonly count: number;
  readonly userCount: number | null;
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly firstRelease: string | null;
  readonly lastRelease: string | null;
  /** Page of the error in the external tracker; null for the integrated backend. */
  readonly externalUrl: string | null;
  /** Names in a former tracker; empty unless the error was imported. */
  readonly externalIds: readonly ExternalId[];
  /** Null for the integrated backend. */
  readonly tracker: TrackerFacts | null;
  /** Buckets of the query's range, without one 24 hours; oldest first, the last one contains now; null when unknown. */
  readonly frequency: readonly FrequencyPoint[] | null;
  /** Events within the query's range; null: the query has none, or unknown. */
  readonly rangeCount: number | null;
  /** Null for external trackers that name none. */
  readonly marks: ErrorMarks | null;
}

export interface TagSpread {
  readonly key: string;
  /** Number of events with the tag. */
  readonly total: number;
  /** Most frequent first; values beyond the bound per tag are in `other`. */
  readonly values: readonly { readonly value: string; readonly count: number }[];
  readonly other: number;
}

/** Member of a merged error, with its own data. */
export interface MergedError {
  readonly id: string;
  readonly title: string;
  readonly count: number;
}

/** Result of separating merged errors. */
export interface Unmerged {
  /** Root error of the merge. */
  readonly errorId: string;
  /** Errors that became separate. */
  readonly separated: readonly MergedError[];
}

export interface TrackedErrorDetail extends TrackedError, MaybeStale {
  /** Errors that were merged into this one, by number; null when the backend does not report them. */
  readonly merged: readonly MergedError[] | null;
  /** Requested id, when it belongs to a member of this error; else null. */
  readonly mergedInto: string | null;
  /** 30 daily buckets (UTC days), oldest first, the last one contains now; null when unknown. */
  readonly frequency30d: readonly FrequencyPoint[] | null;
  readonly tags: readonly TagSpread[] | null;
  readonly environments: readonly string[] | null;
  readonly releases: readonly string[] | null;
  /** Null unless the error was imported. */
  readonly imported: ImportedOrigin | null;
  /** True: a part is temporarily unavailable; repeat the request soon. */
  readonly incomplete?: true;
}

/** Bounds of the times of an error, both inclusive, in milliseconds since the epoch; absent: no bound. */
export interface SeenBounds {
  readonly firstSeenAfter?: number;
  readonly firstSeenBefore?: number;
  readonly lastSeenAfter?: number;
  readonly lastSeenBefore?: number;
}

export interface ErrorQuery extends SeenBounds {
  readonly status: ErrorStatus | 'all';
  /**
   * Free text: every word must occur in title, message, type or culprit; case-insensitive. The integrated backend also
   * finds the error with an external id or an event that is equal to the whole text.
   */
  readonly search: string | null;
  readonly sort: ErrorSort;
  readonly environment: string | null;
  readonly release: string | null;
  readonly level: Level | null;
  /** Only errors last seen within it; also what `frequency` sorts by, and the span of charts. Absent: no range. */
  readonly range?: TimeRange;
  /** True: only errors that ask for a review. */
  readonly forReview?: true;
  /** At most MAX_CONDITIONS; absent: none. */
  readonly conditions?: readonly SearchCondition[];
  /**
   * The selection before its search was read; absent: no search was read. Times and releases that a search leads to
   * differ from request to request, this does not: cursors and copies belong to it.
   */
  readonly asked?: ErrorSelection;
  /** 1 to 100. */
  readonly limit: number;
  /** Cursor from an earlier response to the same query; null for the first page. */
  readonly cursor: string | null;
}

/** What an error query narrows down by, without order and page. */
export type ErrorSelection = Omit<ErrorQuery, 'sort' | 'limit' | 'cursor'>;

/** Returns a query as it was asked, equal on every page of one list: before its search was read. */
export function asAsked({ asked, ...read }: ErrorQuery): ErrorQuery {
  const { sort, limit, cursor } = read;
  return asked === undefined ? read : { ...asked, sort, limit, cursor };
}

/** Errors per tab of a list that fit everything else of the query. At most MAX_TAB_COUNT each: there may be more. */
export interface TabCounts {
  readonly unresolved: number;
  readonly forReview: number;
  readonly resolved: number;
  readonly ignored: number;
}

/**
 * Where counting errors stops, so that it stays quick; the same in every place that shows a number of errors. Bulk
 * actions change as many (`MAX_BULK`).
 */
export const MAX_TAB_COUNT = 10_000;

/** Milliseconds between two runs of the job that keeps `matters` and the totals of ranges. */
export const RANKS_EVERY_MS = 30_000;

/** Filters by time, as parameters name them. */
export type SeenFilter = 'first_seen_after' | 'first_seen_before' | 'last_seen_after' | 'last_seen_before';

/** What narrows down a list. */
export type ErrorFilter =
  | Exclude<keyof ErrorQuery, 'sort' | 'limit' | 'cursor' | 'asked' | 'forReview' | keyof SeenBounds>
  | 'for_review'
  | SeenFilter;

const ALL_FILTERS = {
  search: true,
  status: true,
  environment: true,
  release: true,
  level: true,
  first_seen_after: true,
  first_seen_before: true,
  last_seen_after: true,
  last_seen_before: true,
  range: true,
  for_review: true,
  conditions: true,
} as const satisfies Record<ErrorFilter, true>;

export const ERROR_FILTERS = Object.keys(ALL_FILTERS) as readonly ErrorFilter[];

/** Returns the bounds of a query as one value, equal for equal bounds. */
export function seenBounds(query: SeenBounds): (number | null)[] {
  const { firstSeenAfter = null, firstSeenBefore = null, lastSeenAfter = null, lastSeenBefore = null } = query;
  return [firstSeenAfter, firstSeenBefore, lastSeenAfter, lastSeenBefore];
}

/** Suggestions for filters, at most MAX_FILTER_VALUES of each; not complete. */
export interface FilterValues {
  /** By name: those of releases, and of the most recently seen errors. */
  readonly environments: readonly string[];
  /** Newest first, by first occurrence. */
  readonly releases: readonly string[];
}

export const MAX_FILTER_VALUES = 100;

/** Maximum of the newest releases among which a search by a version finds its packages. */
export const MAX_RELEASE_NAMES = 1_000;

export interface Page<T> extends MaybeStale {
  readonly items: readonly T[];
  /** Cursor of the adjacent page; null for none. */
  readonly previous: string | null;
  readonly next: string | null;
}

/** Event for display: external trackers do not always report the level. */
export interface ShownEvent extends Omit<NormalisedEvent, 'level'> {
  readonly level: Level | null;
}

export interface TrackedEvent extends MaybeStale {
  readonly errorId: string;
  readonly receivedAt: number;
  readonly event: ShownEvent;
  /** Adjacent events of the error by time, for navigation; null at the ends or when unknown. */
  readonly previousEventId: string | null;
  readonly nextEventId: string | null;
  /** Place among the stored events of the error, 1 for the newest; null: unknown, or beyond MAX_EVENTS_COUNTED. */
  readonly position: number | null;
  /** Stored events of the error, at most MAX_EVENTS_COUNTED: there may be more. Null: unknown. */
  readonly stored: number | null;
  /** Reports by users, oldest first; null when the backend does not support them. */
  readonly userReports: readonly UserReport[] | null;
  /** True: from a former tracker; never counted. */
  readonly imported?: true;
}

/** Number of the newest stored events of an error that are searched for users. */
export const MAX_EVENTS_FOR_USERS = 50;

/** User of one event. */
export interface UserOfEvent {
  readonly eventId: string;
  readonly at: number;
  readonly user: EventUser;
}

/** Row of an error's event list, without the payload. */
export interface EventSummary {
  readonly eventId: string;
  readonly errorId: string;
  readonly at: number;
  /** Of an imported event: time of its import. */
  readonly receivedAt: number;
  /** True: from a former tracker; never counted. */
  readonly imported?: true;
  /** Present when asked for; null: the body was removed meanwhile. */
  readonly columns?: EventColumns | null;
}

export interface Capabilities extends MaybeStale {
  readonly sorts: readonly ErrorSort[];
  readonly filters: readonly ErrorFilter[];
  /** Keys of conditions that searches may have. */
  readonly conditions: readonly SearchKey[];
  /** Marks that errors have; others are never set. */
  readonly marks: readonly Mark[];
  readonly merge: boolean;
  readonly releases: boolean;
  /** Whether a status may wait for something, see `StatusDetails`. */
  readonly statusDetails: boolean;
  /** Sorts whose later pages may skip or repeat errors with equal values. */
  readonly unstableSorts: readonly ErrorSort[];
  /** True: some checks are temporarily unavailable; repeat the request soon. */
  readonly incomplete?: true;
}
