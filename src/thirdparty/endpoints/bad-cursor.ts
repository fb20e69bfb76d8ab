import { AppError } from '../../domain/app-error.ts';

/** The tracker does not take a cursor that it once gave; its lists move on. */
export function badCursor(): AppError {
  return new AppError(
    'bad_request',
    'the third-party tracker does not take this cursor any more: start again without one',
  );
}
