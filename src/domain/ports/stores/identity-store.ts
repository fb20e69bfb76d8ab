import type { GrantedRole, Identity, NewIdentity } from '../../projects/identity.ts';

/** Accounts at identity providers, and the roles that their groups give. */
export interface IdentityStore {
  /** Null when no user signs in with this account. */
  identityOf(issuer: string, subject: string): Promise<Identity | null>;
  /** In the order of their creation. */
  identitiesOfUser(userId: number): Promise<Identity[]>;
  /** Null when the account belongs to a user already. Throws `not_found` for an unknown user. */
  addIdentity(identity: NewIdentity): Promise<Identity | null>;
  /** Ignores an unknown id. */
  updateIdentity(id: number, patch: Partial<Pick<Identity, 'name' | 'admin' | 'signedInAt'>>): Promise<void>;
  /** Ignores an unknown id. */
  removeIdentity(id: number): Promise<void>;
  grantedRoles(userId: number): Promise<GrantedRole[]>;
  /**
   * Replaces all roles that groups of the provider gave a user. Paths are in lower case; each occurs once. A role that
   * ends takes from the user what the end of a membership takes.
   */
  replaceGrantedRoles(userId: number, roles: readonly Omit<GrantedRole, 'userId'>[]): Promise<void>;
}
