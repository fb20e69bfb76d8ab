import type { StatusDetails } from '../../domain/errors/error-state.ts';
import type { ErrorStatus } from '../../domain/errors/error-status.ts';
import { isThirdpartyUpdate } from '../../schemas/thirdparty/issue.ts';
import { onIssueRoute } from '../issue-routes.ts';
import { refused, unknownThing, unsupported } from '../http/refused.ts';
import { hostOf, type TrackerSession } from '../session.ts';
import { shaped } from '../http/shape.ts';

/** What is said where `updateStatus` returns false. */
export const NOT_CHANGED = 'The tracker did not change the status.';

/**
 * Sets the state of exactly one issue. False when the tracker accepted the request without a change. Throws
 * `not_found`, and `unsupported_by_tracker` for an unknown state.
 */
export async function updateStatus(
  session: TrackerSession,
  id: string,
  status: ErrorStatus,
  details: object = {},
): Promise<boolean> {
  const reply = await onIssueRoute(session, 'issue', [id], {
    method: 'PUT',
    body: { status, ...details },
    accepts: (body) => isThirdpartyUpdate(body),
  });
  if (reply === null || reply.status === 404) throw unknownThing('error');
  if (reply.status === 400 || reply.status === 422) throw unsupported(`make an error ${status}`);
  if (!reply.ok) throw refused(reply, hostOf(session), { doing: 'change the state of an error', scope: 'event:write' });
  // Some trackers answer 204 for an inaccessible issue.
  if (reply.status === 204) return false;
  const { status: now } = shaped(isThirdpartyUpdate, reply.body, 'a changed error');
  return now === undefined || now === null || now === status;
}

const MINUTE_MS = 60_000;

/** Returns details as the tracker reads them. It has durations in minutes instead of times. */
export function trackerDetails({ ignoreUntil, afterRelease: _after, ...rest }: StatusDetails, now: number): object {
  if (ignoreUntil === undefined) return rest;
  return { ...rest, ignoreDuration: Math.max(1, Math.ceil((ignoreUntil - now) / MINUTE_MS)) };
}
