import type { User } from '../../../domain/projects/account.ts';
import { AppError } from '../../../domain/app-error.ts';
import { idOf } from '../../http/path-ids.ts';
import type { AccountCall } from '../../http/route.ts';

/** Returns the user that the path names by `user_id`. Throws `not_found` where there is none. */
export async function userOf({ deps, path }: AccountCall<unknown>): Promise<User> {
  const id = idOf(path.user_id);
  const user = id === null ? null : await deps.store.userById(id);
  if (user === null) throw new AppError('not_found', 'there is no such user');
  return user;
}
