import type { MaybeStale } from '../page.ts';
import type { ErrorMarks } from './error-marks.ts';
import type { ExternalId, ImportedOrigin } from './error-origin.ts';
import type { Person, StatusDetails } from './error-state.ts';
import type { ErrorStatus } from './error-status.ts';
import type { TrackerTexts } from './error-texts.ts';

/** Checks for a valid error id: a number, or in external trackers 1 to 64 letters, digits, `-` and `_`. */
export function isErrorId(text: string): boolean {
  return /^[\w-]{1,64}$/.test(text);
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
export interface TrackedError extends TrackerTexts {
  /** Decimal number as text; in external trackers 1 to 64 letters, digits, `-` and `_`. */
  readonly id: string;
  readonly projectId: number;
  readonly status: ErrorStatus;
  /** What the status waits for; null: nothing, or not reported by the tracker. */
  readonly statusDetails: StatusDetails | null;
  /** Member of the project; null: none, and always for external trackers. */
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
