import type { AppError } from '../../domain/app-error.ts';
import { isCallerGone } from './tracker-errors.ts';

/** Outcome of one request to a tracker: a closed set, used as label of metrics. */
export type AttemptOutcome =
  | 'ok'
  | 'redirected'
  | 'refused'
  | 'limited'
  | 'server_error'
  | 'timed_out'
  | 'unreachable'
  | 'blocked'
  | 'invalid_answer'
  | 'aborted';

export interface Attempt {
  readonly kind: 'read' | 'write';
  readonly outcome: AttemptOutcome;
  /** Seconds from leaving the queue to the end of the response. */
  readonly seconds: number;
}

export function outcomeOfStatus(status: number): AttemptOutcome {
  if (status === 429) return 'limited';
  if (status >= 500) return 'server_error';
  if (status >= 400) return 'refused';
  return status >= 300 ? 'redirected' : 'ok';
}

export function outcomeOfFailure(failure: AppError): AttemptOutcome {
  if (isCallerGone(failure)) return 'aborted';
  switch (failure.code) {
    case 'tracker_blocked':
      return 'blocked';
    case 'tracker_invalid_answer':
      return 'invalid_answer';
    case 'tracker_limited':
      return 'limited';
    default:
      return failure.details?.reason === 'timeout' ? 'timed_out' : 'unreachable';
  }
}
