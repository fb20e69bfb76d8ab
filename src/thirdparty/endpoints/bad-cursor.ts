import { AppError } from '../../domain/app-error.ts';

/** Error for a cursor that the tracker no longer accepts. */
export function badCursor(): AppError {
  return new AppError('bad_request', 'the third-party tracker no longer accepts this cursor: start again without one');
}
