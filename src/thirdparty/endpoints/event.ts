import { isThirdpartyEvent, type ThirdpartyEvent } from '../../schemas/thirdparty/event.ts';
import { onIssueRoute } from '../issue-routes.ts';
import { refused, unknownThing } from '../http/refused.ts';
import { hostOf, type TrackerSession } from '../session.ts';
import { idOfEvent } from '../map/event.ts';
import { camelMembers, shaped } from '../http/shape.ts';

/** Validates an event of a tracker with a usable id. Throws `tracker_invalid_answer`. */
export function readEvent(value: unknown): ThirdpartyEvent {
  const event = shaped(isThirdpartyEvent, value, 'an event');
  idOfEvent(event);
  return event;
}

const isEvent = (body: unknown): boolean => isThirdpartyEvent(camelMembers(body));

/** Reads one event of an issue, by 32 hex digits or `latest`. Throws `not_found`. */
export async function getEvent(session: TrackerSession, issueId: string, eventId: string): Promise<ThirdpartyEvent> {
  const part = eventId === 'latest' ? 'latest' : 'event';
  const reply = await onIssueRoute(session, part, [issueId, 'events', eventId], { accepts: isEvent });
  if (reply === null || reply.status === 404) throw unknownThing('event');
  if (!reply.ok) throw refused(reply, hostOf(session), { doing: 'show an event', scope: 'event:read' });
  return readEvent(reply.body);
}

export function getLatestEvent(session: TrackerSession, issueId: string): Promise<ThirdpartyEvent> {
  return getEvent(session, issueId, 'latest');
}
