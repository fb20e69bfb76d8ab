import type { User } from '../account.ts';

/** A person signed in with a browser. */
export interface WebSession {
  /** Lower-case hex SHA-256 of the random id that only the browser has. */
  readonly hash: string;
  readonly userId: number;
  readonly createdAt: number;
  /** When it was last used, at most a minute late. */
  readonly usedAt: number;
  /** From then on it counts no more, however much it was used. */
  readonly endsAt: number;
}

export interface NewWebSession {
  readonly hash: string;
  readonly userId: number;
  /** What `credentials` told before the password was checked: a password changed meanwhile lets nobody in. */
  readonly epoch: number;
  readonly createdAt: number;
  readonly endsAt: number;
}

/** What signing in needs to know of a person. */
export interface Credentials {
  readonly user: User;
  readonly passwordHash: string;
  /** Counts up by one whenever all sessions of the person end. */
  readonly epoch: number;
  readonly mustChangePassword: boolean;
}

export interface SignedIn {
  readonly session: WebSession;
  readonly user: User;
  readonly mustChangePassword: boolean;
}

/** Sessions that one person may have at once; beyond, those unused for longest end. */
export const MAX_SESSIONS_OF_USER = 50;

/**
 * Sessions of browsers. Changing the password, blocking and `endSessionsOfUser` end all sessions of a person
 * in one write, also those that are being made at that moment.
 */
export interface WebSessionStore {
  /** By username, without regard to case; null for unknown people. Blocked people are returned too. */
  credentials(username: string): Promise<Credentials | null>;
  /** Keeps at most `MAX_SESSIONS_OF_USER` of a person. Throws `not_found` for an unknown person. */
  createSession(session: NewWebSession): Promise<WebSession>;
  /** Null when it is unknown, or all sessions of the person were ended after it began. Idle and absolute time are the caller's business. */
  sessionByHash(hash: string): Promise<SignedIn | null>;
  /** Says that it was used; an earlier time than the known one, or an unknown session, changes nothing. */
  touchSession(hash: string, usedAt: number): Promise<void>;
  /** False when there is none; safe to repeat. */
  endSession(hash: string): Promise<boolean>;
  /** Throws `not_found` for an unknown person. */
  endSessionsOfUser(userId: number): Promise<void>;
}
