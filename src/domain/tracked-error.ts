import type { EventUser, Level, NormalisedEvent } from './event.ts';
import type { UserReport } from './user-report.ts';

export const ERROR_STATUSES = ['unresolved', 'resolved', 'ignored'] as const;
export type ErrorStatus = (typeof ERROR_STATUSES)[number];

/** Whether a text can be the id of an error: a number, in external trackers any 1 to 64 letters, digits, `-` and `_`. */
export function isErrorId(text: string): boolean {
  return /^[\w-]{1,64}$/.test(text);
}

export const ERROR_SORTS = ['last_seen', 'first_seen', 'frequency', 'users'] as const;
export type ErrorSort = (typeof ERROR_SORTS)[number];

/** An answer that may be old: its source is away or slow, and this is the last that is known of it. */
export interface MaybeStale {
  /** When it was like this, in milliseconds; absent while there is no doubt that it still is. */
  readonly staleSince?: number;
}

/** Bucket start in epoch seconds, and how many events fell into the bucket. */
export type FrequencyPoint = [startSeconds: number, count: number];

/** What an external tracker names a release by, besides its version. */
export interface TrackerRelease {
  readonly shortVersion: string | null;
  /** Id of the newest commit in it. */
  readonly lastCommit: string | null;
}

/** What only an external tracker has of an error; whatever it does not tell is null. */
export interface TrackerFacts {
  /** The tracker's own project, whose id may exceed 2^53. */
  readonly projectId: string | null;
  readonly projectName: string | null;
  readonly projectSlug: string | null;
  /** What people call the error there: `SHOP-1A`. */
  readonly shortId: string | null;
  readonly logger: string | null;
  readonly firstRelease: TrackerRelease | null;
  readonly lastRelease: TrackerRelease | null;
}

/**
 * A group of events as people see it, the same for both backends. What a backend does not know is
 * null, never invented.
 */
export interface TrackedError {
  /** Decimal number as text; of external trackers any text of 1 to 64 letters, digits, `-` and `_`. */
  readonly id: string;
  readonly projectId: number;
  readonly type: string | null;
  readonly title: string;
  readonly message: string | null;
  readonly culprit: string | null;
  readonly level: Level | null;
  readonly platform: string | null;
  readonly status: ErrorStatus;
  readonly count: number;
  readonly userCount: number | null;
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly firstRelease: string | null;
  readonly lastRelease: string | null;
  /** The error's page in the external tracker; null for the integrated backend. */
  readonly externalUrl: string | null;
  /** Null for the integrated backend. */
  readonly tracker: TrackerFacts | null;
  /** 24 hourly buckets, oldest first, the last one holding now; null when unknown. */
  readonly frequency: readonly FrequencyPoint[] | null;
}

export interface TagSpread {
  readonly key: string;
  /** Events that carried the tag. */
  readonly total: number;
  /** Most frequent first; what exceeded the bound of values per tag is in `other`. */
  readonly values: readonly { readonly value: string; readonly count: number }[];
  readonly other: number;
}

/** One of the errors that were merged into another one, as it is by itself. */
export interface MergedError {
  readonly id: string;
  readonly title: string;
  readonly count: number;
}

/** What became of a request to separate merged errors. */
export interface Unmerged {
  /** The error they were merged into. */
  readonly errorId: string;
  /** Those that stand alone now and did not before. */
  readonly separated: readonly MergedError[];
}

export interface TrackedErrorDetail extends TrackedError, MaybeStale {
  /** The errors that were merged into this one, by number; null when the backend does not tell. */
  readonly merged: readonly MergedError[] | null;
  /** This error's own id where it was asked for by the id of one that was merged into it; else null. */
  readonly mergedInto: string | null;
  /** 30 daily buckets (UTC days), oldest first, the last one holding now; null when unknown. */
  readonly frequency30d: readonly FrequencyPoint[] | null;
  readonly tags: readonly TagSpread[] | null;
  readonly environments: readonly string[] | null;
  readonly releases: readonly string[] | null;
  /** Part of it could not be had just now: worth asking for again soon. */
  readonly incomplete?: true;
}

export interface ErrorQuery {
  readonly status: ErrorStatus | 'all';
  /** Free text: every word must occur in title, message, type or culprit, case-insensitively. */
  readonly search: string | null;
  readonly sort: ErrorSort;
  readonly environment: string | null;
  readonly release: string | null;
  readonly level: Level | null;
  /** 1 to 100. */
  readonly limit: number;
  /** From an earlier answer to the same query; null for the first page. */
  readonly cursor: string | null;
}

/** What errors of a project can be narrowed down by, at most MAX_FILTER_VALUES of each: a help, not a record. */
export interface FilterValues {
  /** By name: those of releases, and of the errors that were seen last. */
  readonly environments: readonly string[];
  /** Newest first, by when they were first seen. */
  readonly releases: readonly string[];
}

export const MAX_FILTER_VALUES = 100;

export interface Page<T> extends MaybeStale {
  readonly items: readonly T[];
  /** Cursor of the neighbouring page; null where there is none. */
  readonly previous: string | null;
  readonly next: string | null;
}

/** An event as it is shown: external trackers do not tell every level. */
export interface ShownEvent extends Omit<NormalisedEvent, 'level'> {
  readonly level: Level | null;
}

export interface TrackedEvent extends MaybeStale {
  readonly errorId: string;
  readonly receivedAt: number;
  readonly event: ShownEvent;
  /** Neighbours within the error by time, for navigation; null at the ends or when unknown. */
  readonly previousEventId: string | null;
  readonly nextEventId: string | null;
  /** What people told about it, oldest first; null where the backend does not know. */
  readonly userReports: readonly UserReport[] | null;
}

/** Newest stored events of an error that are looked at for the people whom it hit. */
export const MAX_EVENTS_FOR_USERS = 50;

/** Whom one event names. */
export interface UserOfEvent {
  readonly eventId: string;
  readonly at: number;
  readonly user: EventUser;
}

/** One row of an error's event list, without the payload. */
export interface EventSummary {
  readonly eventId: string;
  readonly errorId: string;
  readonly at: number;
  readonly receivedAt: number;
}

export interface Capabilities extends MaybeStale {
  readonly sorts: readonly ErrorSort[];
  readonly filters: readonly ('search' | 'status' | 'environment' | 'release' | 'level')[];
  readonly merge: boolean;
  readonly releases: boolean;
  /** Sorts whose further pages may miss errors or show them twice, where neighbours are equal in it. */
  readonly unstableSorts: readonly ErrorSort[];
  /** Not everything could be tried just now: worth asking for again soon. */
  readonly incomplete?: true;
}
