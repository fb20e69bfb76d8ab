import { AppError } from '../../domain/app-error.ts';
import type { ErrorDetails, TrackerDetails } from '../../domain/error-details.ts';

export type TrackerErrorCode = Extract<keyof ErrorDetails, `tracker_${string}`>;

export interface TrackerErrorOptions extends Omit<TrackerDetails, 'webMessage'> {
  readonly retryAfterSeconds?: number;
  /** Only AppErrors: errors of libraries contain the request and with it the token. */
  readonly cause?: Error;
}

/** `reason` of a request whose caller has left; not a fault of the tracker. */
const GONE = 'aborted';

export function callerGone(): AppError {
  const message = 'the request to the third-party tracker was cancelled because the client disconnected';
  return trackerError('tracker_unreachable', message, 'Third-party request was given up', { reason: GONE });
}

export function isCallerGone(error: unknown): boolean {
  return error instanceof AppError && error.details?.reason === GONE;
}

/**
 * Creates an error of an external tracker. `message` has cause and remedy; `webMessage` is the text that clients of the
 * host's pages expect.
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

/** Details of an error that a tracker caused; undefined for other errors. */
export function trackerDetails(error: unknown): TrackerDetails | undefined {
  return error instanceof AppError && isTrackerError(error) ? error.details : undefined;
}
