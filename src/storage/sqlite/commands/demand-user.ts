import { AppError } from '../../../domain/app-error.ts';

/** Throws `not_found` when no row was found. */
export function demandUser(found: number, userId: number): void {
  if (found === 0) {
    throw new AppError('not_found', `there is no user with the id ${userId}`);
  }
}
