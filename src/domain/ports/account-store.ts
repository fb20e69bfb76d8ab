import type { AccessToken, NewAccessToken, NewUser, User, UserPatch } from '../account.ts';

/** People and their tokens. Look-ups of unknown ids answer null; a duplicate name throws `conflict`. */
export interface AccountStore {
  createUser(user: NewUser): Promise<User>;
  userById(id: number): Promise<User | null>;
  /** Case-insensitive. */
  userByName(username: string): Promise<User | null>;
  passwordHash(userId: number): Promise<string | null>;
  /** Ends all sessions of the person. `mustChange`: somebody else chose it; default false. */
  setPasswordHash(userId: number, hash: string, mustChange?: boolean): Promise<void>;
  /** Ends all sessions of the person. */
  setUserBlocked(userId: number, blocked: boolean): Promise<void>;
  /** Null when there is no such user. */
  updateUser(userId: number, patch: UserPatch): Promise<User | null>;
  listUsers(): Promise<User[]>;

  createToken(token: NewAccessToken): Promise<AccessToken>;
  /** `hash`: lower-case hex SHA-256. Expired and revoked tokens are returned too: the caller says which it is. */
  tokenByHash(hash: string): Promise<AccessToken | null>;
  tokenById(id: number): Promise<AccessToken | null>;
  /** Null: the tokens of everybody. */
  listTokens(userId: number | null): Promise<AccessToken[]>;
  /** False when there is no such token; safe to repeat. */
  revokeToken(id: number): Promise<boolean>;
  /** Says when a token was last used; an earlier time than the known one, and an unknown token, change nothing. */
  touchToken(id: number, usedAt: number): Promise<void>;
}
