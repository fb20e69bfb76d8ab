import { AppError } from '../../domain/app-error.ts';

/** The tracker does not take a cursor that it once gave; its lists move on. */
export function badCursor(): AppError {
  return new AppError('bad_request', 'the third-party tracker no longer accepts this cursor: start again without one');
}
