import { AppError } from '../domain/app-error.ts';

/** Returns a value; throws `not_found` for null. `what`: name of the thing, for the message. */
export function found<T>(value: T | null, what: string): T {
  if (value === null) throw new AppError('not_found', `there is no such ${what} in this project`);
  return value;
}
