import type { ApiFailure } from '../../api/api-failure.ts';
import { counted } from '../../lib/numbers.ts';

/** Describes why an attempt to sign in failed. `wrong`: text for a wrong password or code. */
export function attemptProblem(failure: ApiFailure, wrong: string): string {
  switch (failure.kind) {
    case 'signed-out':
      return wrong;
    case 'busy':
      return failure.retryAfter === null
        ? 'Too many attempts. Try again in a moment.'
        : `Too many attempts. Try again in ${counted(Math.ceil(failure.retryAfter), 'second')}.`;
    case 'offline':
      return 'The server cannot be reached. Try again later.';
    default:
      return failure.message;
  }
}
