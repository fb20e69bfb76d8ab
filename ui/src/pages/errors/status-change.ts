import type { ErrorStatus, NewStatusDetails, TrackedError } from '../../api/errors-api.ts';
import { statusLabel } from './status-text.ts';

/** Status to set. */
export interface StatusChange {
  readonly status: ErrorStatus;
  /** What the status waits for; absent: nothing. */
  readonly details?: NewStatusDetails;
}

type Stated = Pick<TrackedError, 'status' | 'status_details'>;

/**
 * Change that brings back the present status of an error of a tracker. Counts of its condition start again, and a time
 * that has passed is left out.
 */
export function changeBack({ status, status_details: waits }: Stated, now = Date.now()): StatusChange {
  const { afterRelease: _, ignoreUntil, ...rest } = waits ?? {};
  const isAhead = ignoreUntil !== undefined && Date.parse(ignoreUntil) > now;
  const details = { ...rest, ...(isAhead ? { ignoreUntil } : {}) };
  return Object.keys(details).length === 0 ? { status } : { status, details };
}

/** An error as it is after a change. */
export function changed<T extends Stated>(error: T, { status, details = {} }: StatusChange): T {
  return { ...error, status, status_details: error.status_details === null ? null : details };
}

const WORDS: Readonly<Record<ErrorStatus, string>> = {
  resolved: 'Resolved',
  ignored: 'Ignored',
  unresolved: 'Reopened',
};

/** Message about a change: `Resolved`, `Ignored until 100 more events`. */
export function changedText({ status, details }: StatusChange): string {
  if (details === undefined) return WORDS[status];
  return statusLabel({ status, status_details: details });
}
