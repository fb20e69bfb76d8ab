import type { User } from '../../projects/account.ts';

/** What an identity provider told about a session that began there. */
export interface ProviderSession {
  readonly identityId: number;
  /** Id of the session at the provider (`sid`), by which it ends the session here; null: not told. */
  readonly providerSession: string | null;
  /** Encrypted tokens of the provider for checks and the sign-out there. */
  readonly sealedGrant: string;
}

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
  /** User agent that the browser named at the sign-in, at most `MAX_BROWSER_LENGTH` characters; null: none. */
  readonly browser: string | null;
  /** Client address of the last use, delayed as its time; null: not known. */
  readonly address: string | null;
  /** Account at an identity provider with which it began; null: it began with a password. */
  readonly identityId: number | null;
  /** Time of the last check at the provider; null: it began with a password. */
  readonly checkedAt: number | null;
  /** True: the sign-in had a second factor. */
  readonly secondFactor: boolean;
}

/** Maximum length of the user agent of a session in UTF-16 units. The text comes from the client. */
export const MAX_BROWSER_LENGTH = 200;

export interface NewWebSession {
  readonly hash: string;
  readonly userId: number;
  /** `epoch` of the credentials before the password check: a password changed meanwhile invalidates the session. */
  readonly epoch: number;
  readonly createdAt: number;
  readonly endsAt: number;
  readonly browser: string | null;
  readonly address: string | null;
  /** Absent: it began with a password. `checkedAt`: last check at the provider, if not now. */
  readonly provider?: ProviderSession & { readonly checkedAt?: number };
  readonly secondFactor: boolean;
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
  /**
   * Sessions of a user, the last used first. Leaves out those that began before all sessions ended. The caller checks
   * idle and absolute time.
   */
  sessionsOfUser(userId: number): Promise<readonly WebSession[]>;
  /** Updates the last use and its address, null: not known. Ignores an earlier time or an unknown session. */
  touchSession(hash: string, usedAt: number, address: string | null): Promise<void>;
  /** False when there is none. Idempotent. */
  endSession(hash: string): Promise<boolean>;
  /** What the provider told about a session; null for unknown ones and those that began with a password. */
  providerSession(hash: string): Promise<ProviderSession | null>;
  /**
   * Moves the time of the last check at the provider. False when the session has another time: another request checks
   * it at the moment.
   */
  claimProviderCheck(hash: string, before: number, now: number): Promise<boolean>;
  /** Makes the next request of a session check it at the provider; ignores an unknown one. */
  requireProviderCheck(hash: string): Promise<void>;
  /** Replaces the encrypted tokens of a session; ignores an unknown one. */
  keepSealedGrant(hash: string, sealedGrant: string): Promise<void>;
  /** Hashes of the sessions that began with an account at the provider. */
  sessionsOfIdentity(identityId: number, userId: number): Promise<string[]>;
  /** Hashes of the sessions that have this id at a provider, and their accounts there. */
  sessionsOfProvider(providerSession: string): Promise<{ readonly hash: string; readonly identityId: number | null }[]>;
  /** Throws `not_found` for an unknown user. */
  endSessionsOfUser(userId: number): Promise<void>;
}
