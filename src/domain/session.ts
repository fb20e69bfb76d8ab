/** How a session ended. What was said first holds: nothing that comes later changes it. */
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

/** What an SDK says of one session, one of several times. */
export interface SessionUpdate extends SessionItem {
  readonly kind: 'update';
  /** 32 lower-case hex digits. */
  readonly sessionId: string;
  /** After clock-drift correction; milliseconds since the epoch. */
  readonly startedAt: number;
  /** Not before `startedAt`. */
  readonly at: number;
  /** Errors happened in it, or it is in a state that is neither good nor orderly ended. */
  readonly errored: boolean;
  /** Null while it goes on. */
  readonly end: SessionEnd | null;
  /** Salted hash of the person, 24 hex digits; null when nobody is named. */
  readonly userHash: string | null;
}

/** Ended sessions that a server counted by itself, by the time at which they began. */
export interface SessionSums extends SessionItem {
  readonly kind: 'sums';
  readonly sums: readonly (Readonly<Record<SessionEnd | 'errored', number>> & {
    readonly startedAt: number;
    readonly userHash: string | null;
  })[];
}

/** One `session` or `sessions` item. */
export type DigestedSession = SessionUpdate | SessionSums;

/** `errored` counts those that ended badly too. */
export interface SessionCounts {
  readonly sessions: number;
  readonly errored: number;
  readonly crashed: number;
  readonly abnormal: number;
  readonly unhandled: number;
}

/** A release as people see it. What retention removed does not count any more, what is kept counts from its beginning. */
export interface ReleaseHealth extends SessionCounts {
  readonly release: string;
  /** Earliest and latest time of an event or session of the release. */
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly events: number;
  /** Errors that were first seen in the release. */
  readonly newErrors: number;
  /** Distinct people with a session. */
  readonly users: number;
  readonly crashedUsers: number;
  /** Sessions that began in the 24 hours that end with the current one, of the release and of all releases. */
  readonly sessions24h: number;
  readonly allSessions24h: number;
}

export interface ReleaseQuery {
  readonly environment: string | null;
  /** 1 to 100. */
  readonly limit: number;
  /** From an earlier answer to the same query; null for the first page. */
  readonly cursor: string | null;
}
