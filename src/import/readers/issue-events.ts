import { isRecord } from '../../lib/own-property.ts';
import type { TrackerReply } from '../../thirdparty/answer.ts';
import { eventIdOf, listOf, timeOf } from '../../thirdparty/map/values.ts';
import { eventFromApi } from '../sdk-body/api-event.ts';
import { lacksMessage, withMessageOf } from '../sdk-body/missing-message.ts';
import { eventFromRaw } from '../sdk-body/raw-event.ts';
import type { RemoteEvent } from '../tracker-reader.ts';
import { isTooBig, PagedList } from './paged-list.ts';
import type { ProjectNames } from './project-names.ts';
import { smallList } from './small-list.ts';
import { refusal, type SourceAccess } from './source-access.ts';
import type { EventPlace, SourceDialect } from './source-dialect.ts';

/** Grouping hashes of one issue that are read: each costs a request. */
const MAX_HASHES = 200;
const MAX_NEWEST = 100;
const DAY_MS = 86_400_000;
/** Window of lists of events, and their default. */
const WINDOW_MS = 90 * DAY_MS;
/** Windows, at most: five years. */
const MAX_WINDOWS = 20;

export interface IssueOfProject {
  readonly access: SourceAccess;
  readonly dialect: SourceDialect;
  readonly names: ProjectNames;
  readonly project: string;
  readonly issueId: string;
  readonly signal: AbortSignal;
}

const NEEDED = { doing: 'list the events of an error', scope: 'event:read' } as const;

/** See `TrackerReader.events`. */
export async function* issueEvents(of: IssueOfProject, newest: number): AsyncGenerator<RemoteEvent> {
  const ids = new Set<string>();
  for await (const id of idsByHash(of)) ids.add(id);
  const oldest = await oldestEvent(of);
  for await (const id of newestIds(of, Math.min(newest, MAX_NEWEST), oldest?.at ?? null)) ids.add(id);
  if (oldest !== null) ids.add(oldest.id);
  for (const id of ids) {
    const event = await readEvent(of, id);
    if (event !== null) yield event;
  }
}

const idIn = (row: unknown): string | null => (isRecord(row) ? eventIdOf(row.eventID ?? row.eventId ?? row.id) : null);

/** Newest event of each grouping hash; among them is the newest of all. */
async function* idsByHash({ access, dialect, issueId, signal }: IssueOfProject): AsyncGenerator<string> {
  const path = dialect.hashes(access.organization, issueId);
  // Sentry would send whole events.
  const query = dialect.kind === 'sentry' ? [['full', 'false'] as const] : [];
  const rows = smallList(
    access,
    { path, query, sizeName: dialect.pageSize, skipRow: dialect.skipRow },
    {
      maxRows: MAX_HASHES,
      what: 'grouping hashes',
      refused: (reply) => {
        if (reply.status !== 404) throw refusal(access, reply, NEEDED);
      },
      signal,
    },
  );
  for await (const { row } of rows) {
    const id = isRecord(row) ? idIn(row.latestEvent) : null;
    if (id !== null) yield id;
  }
}

async function oldestEvent(of: IssueOfProject): Promise<{ id: string; at: number | null } | null> {
  const { access, dialect, issueId, signal } = of;
  if (!dialect.hasOldest) return null;
  let reply: TrackerReply;
  try {
    reply = await access.asker.ask({ path: `${dialect.events(access.organization, issueId)}oldest/`, signal });
  } catch (error) {
    if (isTooBig(error)) return null;
    throw error;
  }
  if (reply.status === 404) return null;
  if (!reply.ok) throw refusal(access, reply, NEEDED);
  const id = idIn(reply.body);
  return id === null || !isRecord(reply.body) ? null : { id, at: timeOf(reply.body.dateCreated) };
}

/** Ids of the newest events, going back window by window to `oldestAt`; where it is unknown, as far as the default. */
async function* newestIds(of: IssueOfProject, wanted: number, oldestAt: number | null): AsyncGenerator<string> {
  const { access, dialect, issueId, signal } = of;
  const path = dialect.events(access.organization, issueId);
  const now = access.clock.now();
  let left = wanted;
  for (let windows = 0; left > 0 && windows < MAX_WINDOWS; windows += 1) {
    const end = now - windows * WINDOW_MS;
    if (windows > 0 && (!dialect.hasWindows || oldestAt === null || end < oldestAt)) return;
    const query: [string, string][] =
      windows === 0
        ? []
        : [
            ['start', new Date(end - WINDOW_MS).toISOString().slice(0, 19)],
            ['end', new Date(end).toISOString().slice(0, 19)],
          ];
    const pages = new PagedList(access.asker, Math.min(left, 100));
    const list = { path, query, sizeName: dialect.pageSize, skipRow: dialect.skipRow };
    const cursors = new Set<string>();
    let cursor: string | null = null;
    do {
      const page = await pages.read(list, cursor, signal);
      if (page.kind === 'refused') {
        if (page.reply.status === 404) return;
        throw refusal(access, page.reply, NEEDED);
      }
      const rows = page.kind === 'page' ? listOf(page.reply.body).slice(0, left) : [];
      left -= Math.max(rows.length, page.kind === 'page' ? 0 : 1);
      for (const row of rows) {
        const id = idIn(row);
        if (id !== null) yield id;
      }
      cursor = page.next;
      if (cursor !== null && cursors.has(cursor)) return;
      if (cursor !== null) cursors.add(cursor);
    } while (cursor !== null && left > 0);
  }
}

/** Reads one event, as stored where the tracker shows it; null when it is gone, too large or unusable. */
async function readEvent(of: IssueOfProject, eventId: string): Promise<RemoteEvent | null> {
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
    const shaped = await ask(dialect.shapedEvent);
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
    if (raw === null || raw.status === 401) return null;
    if (raw.status === 403) {
      access.cannot.add(
        'events as they were sent, so that fewer errors are joined: the token lacks the scope project:read',
      );
    }
  }
  return readShaped();
}
