import type { TrackerReply } from '../../thirdparty/http/answer.ts';
import { eventFromApi } from '../sdk-body/api-event.ts';
import { lacksMessage, withMessageOf } from '../sdk-body/missing-message.ts';
import { eventFromRaw } from '../sdk-body/raw-event.ts';
import type { RemoteEvent } from '../tracker-reader.ts';
import type { IssueOfProject } from './issue-of-project.ts';
import { EVENTS_NEEDED } from './event-pages.ts';
import { isTooBig } from './access/paged-list.ts';
import { refusal } from './access/source-access.ts';
import type { EventPlace } from './source-dialect.ts';

/**
 * Reads one event, as stored where the tracker shows it; null when it is gone, too large or unusable. `listed`: the
 * same event in the shape of the API, which is not asked for again; null where a list did not have it.
 */
export async function singleEvent(
  of: IssueOfProject,
  eventId: string,
  listed: RemoteEvent | null,
): Promise<RemoteEvent | null> {
  const { access, dialect, names, project, issueId, signal } = of;
  const ask = async (route: (place: EventPlace) => string): Promise<TrackerReply | null> => {
    const place = { organization: access.organization, issueId, eventId };
    try {
      return await names.request(
        project,
        // GlitchTip fails with 500 for events that are gone.
        (slug) => access.asker.ask({ path: route({ ...place, project: slug }), signal, attempts: 3 }),
        signal,
      );
    } catch (error) {
      if (!isTooBig(error)) throw error;
      access.cannot.add(`event ${eventId}: ${error.message}`);
      return null;
    }
  };
  const same = (event: RemoteEvent | null): RemoteEvent | null => (event?.eventId === eventId ? event : null);
  const now = access.clock.now();
  const readShaped = async (): Promise<RemoteEvent | null> => {
    if (listed !== null) return listed;
    const shaped = await ask(dialect.shapedEvent);
    // What is gone is no failure; an import reads the issue again after any other.
    if (shaped?.ok === false && shaped.status !== 404) throw refusal(access, shaped, EVENTS_NEEDED);
    return shaped?.ok === true ? same(eventFromApi(shaped.body, now, dialect.fingerprints)) : null;
  };
  if (dialect.rawEvent !== null) {
    const raw = await ask(dialect.rawEvent);
    if (raw?.ok === true) {
      const event = same(eventFromRaw(raw.body, now));
      if (event === null || !lacksMessage(event)) return event;
      const shaped = await readShaped();
      return shaped === null ? event : withMessageOf(event, shaped);
    }
    // Too large as stored; the form of the list may be smaller.
    if (raw === null) return listed;
    const mayBeGone = raw.status === 404 || (dialect.kind === 'glitchtip' && raw.status >= 500);
    if (raw.status !== 403 && !mayBeGone) throw refusal(access, raw, EVENTS_NEEDED);
    if (raw.status === 403) {
      access.lacks.events.add(
        'not as they were sent, so that fewer errors are joined: the token lacks the scope project:read',
      );
    }
  }
  return readShaped();
}
