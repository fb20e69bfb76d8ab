import type { AccessLevel } from './account.ts';

/** Account at an identity provider with which a user signs in. Issuer and subject name it, never its e-mail address. */
export interface Identity {
  readonly id: number;
  readonly userId: number;
  /** Address of the provider, as its tokens have it. */
  readonly issuer: string;
  /** Id of the account at the provider, which is never given to another person. */
  readonly subject: string;
  /** Username at the provider at the last sign-in. */
  readonly name: string;
  /** True: the user is an administrator by a group of the provider. */
  readonly admin: boolean;
  readonly createdAt: number;
  /** Time of the last sign-in or check at the provider. */
  readonly signedInAt: number;
}

export type NewIdentity = Omit<Identity, 'id' | 'createdAt'>;

/** Role that a group of the provider gives. It is in effect in each project whose path is this one or begins with it. */
export interface GrantedRole {
  readonly userId: number;
  /** Full path of a group or a project, in lower case. */
  readonly path: string;
  readonly level: AccessLevel;
}
