import { isThirdpartyIssue, type ThirdpartyIssue } from '../../schemas/thirdparty/issue.ts';
import { onIssueRoute } from '../issue-routes.ts';
import { refused, unknownThing } from '../refused.ts';
import { hostOf, type TrackerSession } from '../session.ts';
import { camelMembers, idText, shaped } from '../shape.ts';

/** An issue as a tracker sends it, with an id by which it can be asked for. Throws `tracker_invalid_answer`. */
export function readIssue(value: unknown): ThirdpartyIssue {
  const issue = shaped(isThirdpartyIssue, value, 'an error');
  idText(issue.id, 'id');
  return issue;
}

const isIssue = (body: unknown): boolean => isThirdpartyIssue(camelMembers(body));

/** One issue. Its id is another one where it was merged into that. Throws `not_found`. */
export async function getIssue(session: TrackerSession, id: string): Promise<ThirdpartyIssue> {
  const reply = await onIssueRoute(session, 'issue', [id], { accepts: isIssue });
  if (reply === null || reply.status === 404) throw unknownThing('error');
  if (!reply.ok) throw refused(reply, hostOf(session), { doing: 'show an error', scope: 'event:read' });
  return readIssue(reply.body);
}
