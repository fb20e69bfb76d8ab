import { isThirdpartyTag, type ThirdpartyTag } from '../../schemas/thirdparty/event.ts';
import { onIssueRoute } from '../issue-routes.ts';
import { refused } from '../http/refused.ts';
import { hostOf, usedRows, type TrackerSession } from '../session.ts';
import { shapedList } from '../http/shape.ts';

const isList = (body: unknown): boolean => body === null || Array.isArray(body);

/** Reads the most frequent values of each tag of an issue. Null when the tracker has no such list. */
export async function listTags(session: TrackerSession, id: string): Promise<ThirdpartyTag[] | null> {
  const reply = await onIssueRoute(session, 'tags', [id, 'tags'], { accepts: isList });
  if (reply === null) return null;
  if (!reply.ok) throw refused(reply, hostOf(session), { doing: 'show the tags of an error', scope: 'event:read' });
  return usedRows(session, 'tag', shapedList(isThirdpartyTag, reply.body, 'a tag'));
}
