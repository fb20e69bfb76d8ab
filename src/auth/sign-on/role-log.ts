import type { AccessLevel, User } from '../../domain/projects/account.ts';

/** Right that a group of the provider gives or takes away. */
export interface RoleChange {
  readonly user: User;
  /** Path of a group or project, in lower case; null: whether the user is an administrator. */
  readonly path: string | null;
  /** Level, 1 for an administrator; null: none. */
  readonly before: AccessLevel | 1 | null;
  readonly after: AccessLevel | 1 | null;
}

/** Log of rights, which has each change before it is made. Throws `store_unavailable`: nothing may be changed then. */
export type RoleLog = (change: RoleChange) => Promise<void>;
