import { AppError } from '../domain/app-error.ts';
import type { ErrorDetails, TrackerDetails } from '../domain/error-details.ts';

export type TrackerErrorCode = Extract<keyof ErrorDetails, `tracker_${string}`>;

export interface TrackerErrorOptions extends Omit<TrackerDetails, 'webMessage'> {
  readonly retryAfterSeconds?: number;
  /** Only errors of ours: those of libraries carry the request and with it the token. */
  readonly cause?: Error;
}

/** `reason` of what happens to a question when nobody waits for its answer any more: no fault of the tracker's. */
const GONE = 'aborted';

export function callerGone(): AppError {
  const message = 'nobody waits for the answer of the third-party tracker any more';
  return trackerError('tracker_unreachable', message, 'Third-party request was given up', { reason: GONE });
}

export function isCallerGone(error: unknown): boolean {
  return error instanceof AppError && error.details?.reason === GONE;
}

/**
 * Something an external tracker did. `message` says what and how to cure it, `webMessage` is the text that
 * clients of the host's pages know for it.
 */
export function trackerError(
  code: TrackerErrorCode,
  message: string,
  webMessage: string,
  { retryAfterSeconds, cause, ...details }: TrackerErrorOptions = {},
): AppError {
  return new AppError(code, message, { retryAfterSeconds, cause, details: { webMessage, ...details } });
}

const CODES: ReadonlySet<string> = new Set<TrackerErrorCode>([
  'tracker_blocked',
  'tracker_unreachable',
  'tracker_refused',
  'tracker_limited',
  'tracker_invalid_answer',
]);

function isTrackerError(error: AppError): error is AppError<TrackerErrorCode> {
  return CODES.has(error.code);
}

/** What is known beside the message of an error that a tracker caused; undefined for other errors. */
export function trackerDetails(error: unknown): TrackerDetails | undefined {
  return error instanceof AppError && isTrackerError(error) ? error.details : undefined;
}
