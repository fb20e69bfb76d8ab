import { isThirdpartyIssue, type ThirdpartyIssue } from '../../schemas/thirdparty/issue.ts';
import { onIssueRoute } from '../issue-routes.ts';
import { refused, unknownThing } from '../http/refused.ts';
import { hostOf, type TrackerSession } from '../session.ts';
import { camelMembers, idText, shaped } from '../http/shape.ts';

/** Validates an issue of a tracker with a usable id. Throws `tracker_invalid_answer`. */
export function readIssue(value: unknown): ThirdpartyIssue {
  const issue = shaped(isThirdpartyIssue, value, 'an error');
  idText(issue.id, 'id');
  return issue;
}

const isIssue = (body: unknown): boolean => isThirdpartyIssue(camelMembers(body));

/** Reads one issue. The id differs when it was merged into another one. Throws `not_found`. */
export async function getIssue(session: TrackerSession, id: string): Promise<ThirdpartyIssue> {
  const reply = await onIssueRoute(session, 'issue', [id], { accepts: isIssue });
  if (reply === null || reply.status === 404) throw unknownThing('error');
  if (!reply.ok) throw refused(reply, hostOf(session), { doing: 'show an error', scope: 'event:read' });
  return readIssue(reply.body);
}
