import type { NewUser, User } from '../../domain/projects/account.ts';
import type { NewIdentity } from '../../domain/projects/identity.ts';

/**
 * Log of accounts, which has each change before it is made. The methods throw `store_unavailable` when the log cannot
 * be written, and make no change then.
 */
export interface AccountLog {
  create(user: NewUser, write: () => Promise<User>): Promise<User>;
  /** Writes nothing to the log when what it shows of a user stays the same. */
  change<T>(before: User, after: User, write: () => Promise<T>): Promise<T>;
  connect<T>(user: User, identity: NewIdentity, write: () => Promise<T>): Promise<T>;
}
