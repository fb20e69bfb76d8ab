import { AppError } from '../../domain/app-error.ts';
import { isRecord } from '../../lib/own-property.ts';
import { oneLine, type TrackerReply } from './answer.ts';
import { trackerError } from './tracker-errors.ts';

/** Attempted action, for the message, and the scope it needs. */
export interface Attempt {
  readonly doing: string;
  readonly scope: string;
}

/** Above the limit of all trackers. */
const MAX_SLUG_CHARACTERS = 100;

/** New slug of a renamed project; null for other replies. */
export function newSlug({ status, body }: TrackerReply): string | null {
  if (status !== 302 || !isRecord(body)) return null;
  const slug = typeof body.slug === 'string' ? oneLine(body.slug, MAX_SLUG_CHARACTERS) : '';
  return slug === '' ? null : slug;
}

function cure(reply: TrackerReply, { scope }: Attempt): string {
  const slug = newSlug(reply);
  if (slug !== null) return `the project was renamed to "${slug}": choose it again in the settings`;
  switch (reply.status) {
    case 401:
      return 'the token is not accepted: enter a valid one in the settings';
    case 403:
      // Reply of GlitchTip to a write with an unknown token.
      if (/\bCSRF\b/.test(reply.detail ?? '')) return 'the token is not accepted: enter a valid one in the settings';
      return `the token may not do this: give it the scope ${scope}, and access to the project`;
    case 404:
    case 410:
      return 'there is nothing at this address: check address, organization and project in the settings';
    default:
      if (reply.status >= 500) return 'the tracker reported an internal error; try again later';
      if (reply.status >= 300 && reply.status < 400) {
        return 'the tracker sends to another address: enter its final address (https?) in the settings';
      }
      return 'the tracker did not understand the request';
  }
}

/**
 * Maps a refusal to an AppError. `host` appears in the message; `details.reason` is `renamed` for a project with a new
 * slug.
 */
export function refused(reply: TrackerReply, host: string, attempt: Attempt): AppError {
  const said = reply.detail === null ? '' : ` (it says: ${reply.detail})`;
  return trackerError(
    'tracker_refused',
    `${host} refused to ${attempt.doing} with status ${reply.status}: ${cure(reply, attempt)}${said}`,
    `Third-party response status code: ${reply.status}`,
    { status: reply.status, ...(newSlug(reply) === null ? {} : { reason: 'renamed' }) },
  );
}

/** Error for a list of another project than the linked one. */
export function anotherProject(host: string): AppError {
  return trackerError(
    'tracker_refused',
    `the errors that ${host} lists are those of another project: choose the project again in the settings`,
    'Third-party project is another one',
    { reason: 'renamed' },
  );
}

export function unknownThing(what: string): AppError {
  return new AppError('not_found', `the third-party tracker has no such ${what} in this project`);
}

/** Error for a filter, sort or state that this tracker does not have. */
export function unsupported(what: string): AppError {
  return new AppError('unsupported_by_tracker', `the connected third-party tracker cannot ${what}`);
}
