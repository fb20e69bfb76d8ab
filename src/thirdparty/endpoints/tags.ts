import { isThirdpartyTag, type ThirdpartyTag } from '../../schemas/thirdparty/event.ts';
import { onIssueRoute } from '../issue-routes.ts';
import { refused } from '../refused.ts';
import { hostOf, usedRows, type TrackerSession } from '../session.ts';
import { shapedList } from '../shape.ts';

/** How the tags of an issue are spread: the most frequent values of each. */
export async function listTags(session: TrackerSession, id: string): Promise<ThirdpartyTag[]> {
  const reply = await onIssueRoute(session, [id, 'tags']);
  if (!reply.ok) throw refused(reply, hostOf(session), { doing: 'show the tags of an error', scope: 'event:read' });
  return usedRows(session, 'tag', shapedList(isThirdpartyTag, reply.body, 'a tag'));
}
