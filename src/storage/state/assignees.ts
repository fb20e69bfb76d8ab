import { ACCESS_LEVELS, type AccessLevel } from '../../domain/projects/account.ts';
import { AppError } from '../../domain/app-error.ts';

/** Returns whether errors may be assigned to a member: to one that may read them. */
export function mayBeAssigned(level: AccessLevel): boolean {
  return level >= ACCESS_LEVELS.reporter;
}

/** Throws `bad_request` when errors may not be assigned to a user. `level`: role in the project; null: no member. */
export function requireAssignable(level: AccessLevel | null): void {
  if (level === null) throw new AppError('bad_request', 'the user is no member of this project: add them first');
  if (mayBeAssigned(level)) return;
  throw new AppError(
    'bad_request',
    'the user is a Guest and may not read errors: give them the role Reporter or a higher one first',
  );
}
