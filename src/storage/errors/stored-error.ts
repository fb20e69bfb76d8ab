import type { ErrorTexts } from '../../domain/errors/error-texts.ts';
import type { ActivityEntry } from '../../domain/errors/error-state.ts';
import type { StoredMarks } from '../../domain/errors/error-marks.ts';
import type { SearchTerms } from '../search/search-terms.ts';

/** First or last occurrence of an error. */
export interface StoredOccurrence {
  readonly at: number;
  readonly eventId: string;
  readonly release: string | null;
}

/** Event by its time and release. */
export interface StoredTime {
  readonly at: number;
  readonly release: string | null;
}

/** All that a store has in the row of an error, in a form independent of both stores. */
export interface StoredError extends ErrorTexts {
  readonly id: number;
  readonly projectId: number;
  readonly groupHash: string;
  readonly groupingVersion: number;
  /** Code of the status: 0 unresolved, 1 resolved, 2 ignored. */
  readonly status: 0 | 1 | 2;
  readonly resolvedAt: number | null;
  readonly mergedInto: number | null;
  readonly count: number;
  readonly userCount: number;
  readonly stored: number;
  readonly newestReceived: number;
  readonly first: StoredOccurrence;
  readonly last: StoredOccurrence;
  readonly searchText: string;
  readonly environments: readonly string[];
  readonly releases: readonly string[];
  /** Last change of the status by a person here; null: never. */
  readonly statusChangedAt: number | null;
  /** Own events that decide about reopening, all and those of a newer release; null: none. */
  readonly newest: StoredTime | null;
  readonly passed: StoredTime | null;
  /** What the status waits for, and that of its root, as JSON; null: nothing. */
  readonly statusDetails: string | null;
  readonly rootDetails: string | null;
  /** Of a member: own events and users when its root's status was set, or when it joined; null: none. */
  readonly rootEvents: number | null;
  readonly rootUsers: number | null;
  /** Time until which it is ignored; own events and users when its status was set. Null: none. */
  readonly mutedUntil: number | null;
  readonly mutedEvents: number | null;
  readonly mutedUsers: number | null;
  readonly assigneeId: number | null;
  readonly marks: StoredMarks;
  /** Terms of searches; null: none are known. */
  readonly terms: Pick<SearchTerms, 'files' | 'functions'> | null;
  /** Activity log, oldest first. */
  readonly activity: readonly ActivityEntry[];
  /** Greatest step of affected users that was reached, of a merge root by all members; 0: none. */
  readonly usersStep: number;
  /** Own events known there beyond those with a mark in `knownThere`. */
  readonly knownBoth: number;
  /** Null unless the error was imported. */
  readonly imported: {
    readonly baseCount: number;
    readonly baseUsers: number | null;
    readonly ownUsers: number;
    /** Count of the tracker, its time, and own events known there then; null: never taken. */
    readonly trackerCount: number | null;
    readonly baseAt: number | null;
    readonly knownAt: number | null;
    /** Newest time of a stored own event, or of the last one; null: none is known. */
    readonly ownLastAt: number | null;
  } | null;
}
