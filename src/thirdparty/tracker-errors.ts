import { AppError, type ErrorCode } from '../domain/app-error.ts';
import type { TrackerProject } from '../domain/ports/tracker-setup.ts';

export type TrackerErrorCode = Extract<ErrorCode, `tracker_${string}`>;

export interface TrackerErrorOptions {
  readonly retryAfterSeconds?: number;
  /** The tracker's HTTP status, where it answered. */
  readonly status?: number;
  /** Machine-readable reason for callers that give advice, such as `html` or `timeout`; a closed set per code. */
  readonly reason?: string;
  /** What to link instead. */
  readonly project?: TrackerProject;
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
  options: TrackerErrorOptions = {},
): AppError {
  const { retryAfterSeconds, cause, status, reason, project } = options;
  return new AppError(code, message, {
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(cause === undefined ? {} : { cause }),
    details: {
      webMessage,
      ...(status === undefined ? {} : { status }),
      ...(reason === undefined ? {} : { reason }),
      ...(project === undefined ? {} : { project }),
    },
  });
}
