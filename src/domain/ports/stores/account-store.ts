import type { AccessToken, NewAccessToken, NewUser, User, UserPatch } from '../../projects/account.ts';

/** Users and their tokens. Look-ups of unknown ids return null; a duplicate name throws `conflict`. */
export interface AccountStore {
  createUser(user: NewUser): Promise<User>;
  userById(id: number): Promise<User | null>;
  /** Case-insensitive. */
  userByName(username: string): Promise<User | null>;
  passwordHash(userId: number): Promise<string | null>;
  /** Ends all sessions of the user. `mustChange`: another person chose the password; default false. */
  setPasswordHash(userId: number, hash: string, mustChange?: boolean): Promise<void>;
  /** Ends all sessions of the user. */
  setUserBlocked(userId: number, blocked: boolean): Promise<void>;
  /** Null when there is no such user. */
  updateUser(userId: number, patch: UserPatch): Promise<User | null>;
  listUsers(): Promise<User[]>;

  createToken(token: NewAccessToken): Promise<AccessToken>;
  /** `hash`: lower-case hex SHA-256. Expired and revoked tokens are returned too; the caller checks them. */
  tokenByHash(hash: string): Promise<AccessToken | null>;
  tokenById(id: number): Promise<AccessToken | null>;
  /** Null: the tokens of all users. */
  listTokens(userId: number | null): Promise<AccessToken[]>;
  /** False when there is no such token. Idempotent. */
  revokeToken(id: number): Promise<boolean>;
  /** Updates the last use of a token; ignores earlier times and unknown tokens. */
  touchToken(id: number, usedAt: number): Promise<void>;

  /**
   * Adds projects to those that a token with the scope `ci` is for. Throws `project_not_found`; nothing is added then.
   */
  addProjectsOfToken(tokenId: number, projectIds: readonly number[]): Promise<void>;
  /** Ids of the tokens that are for a project, in ascending order; revoked ones too. */
  tokensOfProject(projectId: number): Promise<number[]>;
  /** Ids in ascending order; a deleted project is left out. */
  projectsOfToken(tokenId: number): Promise<number[]>;
}
