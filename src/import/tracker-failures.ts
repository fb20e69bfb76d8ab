import { AppError } from '../domain/app-error.ts';
import { trackerDetails } from '../thirdparty/http/tracker-errors.ts';

/** Returns true for a failure of one part alone: the import goes on without it. */
export function isPartial(error: unknown): error is AppError {
  if (!(error instanceof AppError)) return false;
  if (error.code === 'tracker_invalid_answer' || error.code === 'bad_request' || error.code === 'not_found')
    return true;
  const status = trackerDetails(error)?.status ?? 0;
  return error.code === 'tracker_refused' && status !== 401 && status < 500;
}

/** Returns true when the tracker reports an internal error, after all repeats of the reader. */
export function isInternal(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'tracker_refused' && (trackerDetails(error)?.status ?? 0) >= 500;
}

/** Returns true when the token may not read a part. */
export function isForbidden(error: unknown): boolean {
  return error instanceof AppError && error.code === 'tracker_refused' && trackerDetails(error)?.status === 403;
}

/** Scopes of a token that parts need, by the names of Sentry, which GlitchTip and Urgentry use too. */
const SCOPES = {
  projects: 'org:read and project:read',
  keys: 'project:read',
  issues: 'event:read',
  events: 'event:read',
  comments: 'event:read',
  reports: 'event:read',
  releases: 'project:releases',
  alerts: 'alerts:read',
  members: 'member:read',
} as const;
export type ReadPart = keyof typeof SCOPES;

/** Describes why a part is left out, with the scope that the token lacks. */
export function reasonOf(error: AppError, part: ReadPart): string {
  return isForbidden(error) ? `the token lacks the scope ${SCOPES[part]}: ${error.message}` : error.message;
}
