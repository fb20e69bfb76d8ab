/** Access levels of the host; a higher number includes all rights of the lower ones. */
export const ACCESS_LEVELS = { guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50 } as const;
export type AccessLevelName = keyof typeof ACCESS_LEVELS;
export type AccessLevel = (typeof ACCESS_LEVELS)[AccessLevelName];

/** Returns the name of a role, `developer`. */
export function accessLevelName(level: AccessLevel): AccessLevelName {
  const [name = 'guest'] = Object.entries(ACCESS_LEVELS).find(([, known]) => known === level) ?? [];
  return name as AccessLevelName;
}

export interface User {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  /** Administrators have all rights in every project. */
  readonly admin: boolean;
  readonly blocked: boolean;
  /** Address for mail, and by which imports know a person; null: none. */
  readonly email: string | null;
  /**
   * True: an administrator entered the address, an identity provider has verified it, or the account was made with a
   * link that was mailed to it.
   */
  readonly emailConfirmed: boolean;
  /** Whether the user may sign in with a password; null: as the configuration says. */
  readonly passwordAllowed: boolean | null;
  /** Time of the last sign-in or check at an identity provider; null: never. */
  readonly signedOnAt: number | null;
  /** Milliseconds since the epoch, as all `…At` members in the domain. */
  readonly createdAt: number;
}

/** Changes of a user; absent members keep their value. A changed address is not confirmed unless `emailConfirmed` is. */
export interface UserPatch {
  readonly name?: string;
  readonly admin?: boolean;
  readonly email?: string | null;
  readonly emailConfirmed?: boolean;
  readonly passwordAllowed?: boolean | null;
  readonly signedOnAt?: number;
}

/** Returns whether a user may sign in with a password. `configured`: whether people may in general. */
export function mayUsePassword({ passwordAllowed }: Pick<User, 'passwordAllowed'>, configured: boolean): boolean {
  return passwordAllowed ?? configured;
}

/** Returns true for an administrator that is not blocked. */
export function mayAdminister(user: User): boolean {
  return user.admin && !user.blocked;
}

/** Returns true when no other user could administer the instance. */
export function isLastAdministrator(user: User, all: readonly User[]): boolean {
  return mayAdminister(user) && !all.some((other) => other.id !== user.id && mayAdminister(other));
}

export interface NewUser {
  readonly username: string;
  readonly name: string;
  readonly admin: boolean;
  readonly email?: string | null;
  /** Output of `auth/password.ts`, never the password. */
  readonly passwordHash: string;
  /** True: the user must change it at the first sign-in, because another person knows it. Default false. */
  readonly mustChangePassword?: boolean;
  /** Default false. */
  readonly emailConfirmed?: boolean;
  /** Default null. */
  readonly passwordAllowed?: boolean | null;
  /** Default null. */
  readonly signedOnAt?: number | null;
}

/** `ci`: uploads and releases of the projects that the token names, and nothing else. */
export const TOKEN_SCOPES = ['api', 'read_api', 'ci'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

export interface AccessToken {
  readonly id: number;
  readonly userId: number;
  readonly name: string;
  /** Null: no description. */
  readonly description: string | null;
  readonly scopes: readonly TokenScope[];
  readonly createdAt: number;
  /** Null: never expires. */
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** Null: never. Updated with a delay of up to ten minutes. */
  readonly lastUsedAt: number | null;
}

export interface NewAccessToken {
  readonly userId: number;
  readonly name: string;
  /** Lower-case hex SHA-256 of the token; the token itself is never stored. */
  readonly hash: string;
  readonly description?: string | null;
  readonly scopes: readonly TokenScope[];
  readonly expiresAt: number | null;
}
