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

export interface ReleaseQuery {
  readonly environment: string | null;
  /** 1 to 100. */
  readonly limit: number;
  /** Cursor from an earlier response to the same query; null for the first page. */
  readonly cursor: string | null;
}
