import type { User } from '../../projects/account.ts';

/** Session of a browser. */
export interface WebSession {
  /** Lower-case hex SHA-256 of the random id that only the browser has. */
  readonly hash: string;
  readonly userId: number;
  readonly createdAt: number;
  /** Time of the last use, delayed by at most a minute. */
  readonly usedAt: number;
  /** Absolute expiry, independent of use. */
  readonly endsAt: number;
}

export interface NewWebSession {
  readonly hash: string;
  readonly userId: number;
  /** `epoch` of the credentials before the password check: a password changed meanwhile invalidates the session. */
  readonly epoch: number;
  readonly createdAt: number;
  readonly endsAt: number;
}

/** Sign-in data of a user. */
export interface Credentials {
  readonly user: User;
  readonly passwordHash: string;
  /** Incremented when all sessions of the user end. */
  readonly epoch: number;
  readonly mustChangePassword: boolean;
}

export interface SignedIn {
  readonly session: WebSession;
  readonly user: User;
  readonly mustChangePassword: boolean;
}

/** Maximum number of sessions per user; beyond it, the least recently used ones end. */
export const MAX_SESSIONS_OF_USER = 50;

/**
 * Sessions of browsers. Changing the password, blocking and `endSessionsOfUser` end all sessions of a user in one
 * write, including sessions created concurrently.
 */
export interface WebSessionStore {
  /** By username, case-insensitive; null for unknown users. Blocked users are returned too. */
  credentials(username: string): Promise<Credentials | null>;
  /** Keeps at most `MAX_SESSIONS_OF_USER` per user. Throws `not_found` for an unknown user. */
  createSession(session: NewWebSession): Promise<WebSession>;
  /**
   * Null when it is unknown, or when all sessions of the user ended after its start. The caller checks idle and
   * absolute time.
   */
  sessionByHash(hash: string): Promise<SignedIn | null>;
  /** Updates the last use; ignores an earlier time or an unknown session. */
  touchSession(hash: string, usedAt: number): Promise<void>;
  /** False when there is none. Idempotent. */
  endSession(hash: string): Promise<boolean>;
  /** Throws `not_found` for an unknown user. */
  endSessionsOfUser(userId: number): Promise<void>;
}
