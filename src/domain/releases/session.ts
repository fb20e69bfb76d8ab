import type { Level } from '../events/event.ts';
import type { ErrorStatus } from '../errors/error-status.ts';

/** End states of a session. The first received one is final. */
export const SESSION_ENDS = ['exited', 'crashed', 'abnormal', 'unhandled'] as const;
export type SessionEnd = (typeof SESSION_ENDS)[number];

interface SessionItem {
  readonly projectId: number;
  readonly keyId: number;
  readonly receivedAt: number;
  /** Never empty. */
  readonly release: string;
  readonly environment: string | null;
}

/** One of several updates of a session by an SDK. */
export interface SessionUpdate extends SessionItem {
  readonly kind: 'update';
  /** 32 lower-case hex digits. */
  readonly sessionId: string;
  /** Start of the session after clock-drift correction, milliseconds since the epoch. */
  readonly startedAt: number;
  /** Time of the update, milliseconds since the epoch; not before `startedAt`. */
  readonly at: number;
  /** True: errors occurred in it, or its state is neither good nor an orderly end. */
  readonly errored: boolean;
  /** Null while the session is running. */
  readonly end: SessionEnd | null;
  /** Salted hash of the user, 24 hex digits; null for none. */
  readonly userHash: string | null;
}

/** Ended sessions that an SDK aggregated, by start time. */
export interface SessionSums extends SessionItem {
  readonly kind: 'sums';
  readonly sums: readonly (Readonly<Record<SessionEnd | 'errored', number>> & {
    readonly startedAt: number;
    readonly userHash: string | null;
  })[];
}

/** One `session` or `sessions` item. */
export type DigestedSession = SessionUpdate | SessionSums;

/** `errored` includes sessions that ended badly. */
export interface SessionCounts {
  readonly sessions: number;
  readonly errored: number;
  readonly crashed: number;
  readonly abnormal: number;
  readonly unhandled: number;
}

/** Health of a release for display. Data that retention removed is not counted; remaining data counts in full. */
export interface ReleaseHealth extends SessionCounts {
  readonly release: string;
  /** Time of the earliest and latest event or session of the release. */
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly events: number;
  /** Errors that first occurred in the release. */
  readonly newErrors: number;
  /** Distinct users with a session. */
  readonly users: number;
  readonly crashedUsers: number;
  /** Sessions that started in the last 24 hours including the current one, of the release and of all releases. */
  readonly sessions24h: number;
  readonly allSessions24h: number;
}

/** Sessions that began in an hour. `hour`: whole hours since the epoch. */
export interface SessionHour extends SessionCounts {
  readonly hour: number;
}

/** Days of hours that a release has, the current one included. */
export const RELEASE_DAYS = 30;

export interface ReleaseDetail extends ReleaseHealth {
  /** Hours with sessions of the last RELEASE_DAYS days, oldest first. */
  readonly history: readonly SessionHour[];
  /** Neighbours by version among releases of the same package, otherwise by first occurrence; null: none. */
  readonly previous: string | null;
  readonly next: string | null;
}

/** Error with its events in the releases of a question. */
export interface ReleaseError {
  readonly id: string;
  readonly type: string | null;
  readonly title: string;
  readonly culprit: string | null;
  readonly level: Level | null;
  readonly status: ErrorStatus;
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly firstRelease: string | null;
  /** Release of its newest event, of all environments. */
  readonly lastRelease: string | null;
  /** Release of the event that reopened it last; null: none, or its status was set since. */
  readonly regressedIn: string | null;
  /** Events per release, in the order of the question. An error counts at most 100 releases. */
  readonly counts: readonly number[];
}

export interface ReleaseErrors {
  readonly errors: readonly ReleaseError[];
  /** False: there are more errors than were read. */
  readonly complete: boolean;
}

/** Maximum errors that are read per release. */
export const MAX_RELEASE_ERRORS = 5_000;

/** Maximum releases that a list by version has: those first seen last. */
export const MAX_RELEASES_SORTED = 1_000;

export const RELEASE_SORTS = ['first_seen', 'version'] as const;
export type ReleaseSort = (typeof RELEASE_SORTS)[number];

export interface ReleaseQuery {
  readonly environment: string | null;
  /** Absent: by first occurrence. */
  readonly sort?: ReleaseSort;
  /** 1 to 100. */
  readonly limit: number;
  /** Cursor from an earlier response to the same query; null for the first page. */
  readonly cursor: string | null;
}
