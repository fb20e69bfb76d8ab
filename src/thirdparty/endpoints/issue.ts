import { isThirdpartyIssue, type ThirdpartyIssue } from '../../schemas/thirdparty/issue.ts';
import { onIssueRoute } from '../issue-routes.ts';
import { refused, unknownThing } from '../refused.ts';
import { hostOf, type TrackerSession } from '../session.ts';
import { shaped } from '../shape.ts';

/** One issue. Its id is another one where it was merged into that. Throws `not_found`. */
export async function getIssue(session: TrackerSession, id: string): Promise<ThirdpartyIssue> {
  const reply = await onIssueRoute(session, [id]);
  if (reply.status === 404) throw unknownThing('error');
  if (!reply.ok) throw refused(reply, hostOf(session), { doing: 'show an error', scope: 'event:read' });
  return shaped(isThirdpartyIssue, reply.body, 'an error');
}
