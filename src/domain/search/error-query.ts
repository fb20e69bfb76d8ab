import type { Mark } from '../errors/error-marks.ts';
import type { ErrorStatus } from '../errors/error-status.ts';
import type { Level } from '../events/event.ts';
import type { MaybeStale } from '../page.ts';
import type { SearchCondition } from './search-condition.ts';
import type { SearchKey } from './search-keys.ts';
import type { TimeRange } from './time-range.ts';

/**
 * `matters`: what to look at first (docs/adr/0017). `frequency`: events, with a range those within it. Both are up to
 * RANKS_EVERY_MS late.
 */
export const ERROR_SORTS = ['last_seen', 'first_seen', 'frequency', 'users', 'matters'] as const;
export type ErrorSort = (typeof ERROR_SORTS)[number];

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
