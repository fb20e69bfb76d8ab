import { AppError } from '../../../domain/app-error.ts';

/** Throws `not_found` when no document was found. */
export function demandUser(found: boolean, userId: number): void {
  if (!found) throw new AppError('not_found', `there is no user with the id ${userId}`);
}
