import type { ThirdpartyEvent } from '../../schemas/thirdparty/event.ts';
import { onIssueRoute } from '../issue-routes.ts';
import { parseLinkHeader, type PageCursors } from '../http/link-header.ts';
import { refused, unknownThing } from '../http/refused.ts';
import { hostOf, usedRows, type TrackerSession } from '../session.ts';
import { usableRows } from '../http/shape.ts';
import { badCursor } from './bad-cursor.ts';
import { readEvent } from './event.ts';

export interface EventRows extends PageCursors {
  /** Newest first; may exceed the requested number. */
  readonly rows: readonly ThirdpartyEvent[];
}

const isList = (body: unknown): boolean => body === null || Array.isArray(body);

/** Reads a page of an issue's events. Throws `not_found`, and `bad_request` for an invalid cursor. */
export async function listEvents(
  session: TrackerSession,
  issueId: string,
  limit: number,
  cursor: string | null,
): Promise<EventRows> {
  // Trackers without organization routes use another parameter; the route of issues distinguishes them.
  const { dialect } = session;
  const isOld = dialect.pageSizeName === 'limit' && dialect.routesOf('issue')[0] === 'legacy';
  const size = isOld ? 'limit' : 'per_page';
  const query: [string, string][] = [[size, String(limit)]];
  if (cursor !== null) query.push(['cursor', cursor]);
  const reply = await onIssueRoute(session, 'events', [issueId, 'events'], { query, accepts: isList });
  if (reply === null || reply.status === 404) throw unknownThing('error');
  if (cursor !== null && (reply.status === 400 || reply.status === 422)) throw badCursor();
  if (!reply.ok) throw refused(reply, hostOf(session), { doing: 'list the events of an error', scope: 'event:read' });
  const rows = usedRows(session, 'event', usableRows([reply.body], 'an event', readEvent));
  return { rows, ...parseLinkHeader(reply.link) };
}
