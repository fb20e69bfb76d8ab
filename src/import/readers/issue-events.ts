import { isRecord } from '../../lib/own-property.ts';
import type { TrackerReply } from '../../thirdparty/http/answer.ts';
import { timeOf } from '../../thirdparty/map/values.ts';
import type { EventsWanted, RemoteEvent } from '../tracker-reader.ts';
import { eventIdIn, eventPages, EVENTS_NEEDED, type EventPage, type ListedEvent } from './event-pages.ts';
import type { IssueOfProject } from './issue-of-project.ts';
import { isTooBig } from './access/paged-list.ts';
import { singleEvent } from './single-event.ts';
import { smallList } from './small-list.ts';
import { refusal } from './access/source-access.ts';

/** Grouping hashes of one issue that are read: each costs a request. */
const MAX_HASHES = 200;
const MAX_NEWEST = 100;
/** Milliseconds by which the time of the first event and that of its issue may differ by rounding. */
const ROUNDING_MS = 1000;

/**
 * See `TrackerReader.events`. Bodies come from pages of whole events. An event is asked for alone when it is the newest
 * one, the oldest one or that of a hash, or when its group key is not that of an event which was.
 */
export async function* issueEvents(of: IssueOfProject, wanted: EventsWanted): AsyncGenerator<RemoteEvent> {
  const chosen = new ChosenEvents(of, wanted);
  let oldest: OldestEvent | null = null;
  const pages = eventPages(of, Math.min(wanted.newest, MAX_NEWEST), () => oldest?.at ?? null);
  const first = await pages.next();
  const firstPage: EventPage = first.done === true ? { rows: [], isLast: false } : first.value;
  const { rows } = firstPage;
  const hasAll = rows.length > 0 && hasAllEvents(of, firstPage, wanted.firstSeen);
  if (hasAll && rows.every(({ hashes }) => hashes !== null)) {
    // Whole lists tell the newest event of each hash by themselves.
    for (const row of new Map([...rows].reverse().map((one) => [one.hashes, one] as const)).values())
      chosen.readAlone(row.id);
  } else {
    for await (const id of idsByHash(of)) chosen.readAlone(id);
  }
  if (!hasAll) oldest = await oldestEvent(of);
  if (oldest !== null) chosen.readAlone(oldest.id);
  const [newest] = rows;
  if (newest !== undefined) chosen.readAlone(newest.id);
  let last: ListedEvent | null = null;
  for (let page: EventPage | null = firstPage; page !== null;) {
    for (const row of page.rows) {
      if (last !== null) yield* chosen.listed(last);
      last = row;
    }
    const next: IteratorResult<EventPage> = await pages.next();
    page = next.done === true ? null : next.value;
  }
  if (last !== null) {
    // Without a route for it, the oldest of those that were listed.
    if (oldest === null) chosen.readAlone(last.id);
    yield* chosen.listed(last);
  }
  yield* chosen.others();
}

/** Returns true when a page has all events of an issue that the tracker ever had. */
function hasAllEvents({ dialect }: IssueOfProject, { rows, isLast }: EventPage, firstSeen: number): boolean {
  if (!isLast) return false;
  if (!dialect.hasWindows) return true;
  const at = rows.at(-1)?.shaped?.at;
  return at !== undefined && at <= firstSeen + ROUNDING_MS;
}

/** Decides which events are asked for alone. Each event comes once. */
class ChosenEvents {
  readonly #of: IssueOfProject;
  readonly #keyOf: EventsWanted['keyOf'];
  readonly #alone = new Set<string>();
  readonly #seen = new Set<string>();
  /** Levels of events that were asked for alone, by their group keys in the shape of the API. */
  readonly #levels = new Map<string, unknown>();

  constructor(of: IssueOfProject, { keyOf }: EventsWanted) {
    this.#of = of;
    this.#keyOf = keyOf;
  }

  readAlone(id: string): void {
    this.#alone.add(id);
  }

  async *listed({ id, shaped }: ListedEvent): AsyncGenerator<RemoteEvent> {
    if (this.#seen.has(id)) return;
    this.#seen.add(id);
    const key = shaped === null ? null : this.#keyOf(shaped);
    if (shaped !== null && key !== null && !this.#alone.has(id) && this.#levels.has(key)) {
      // GlitchTip lists no levels.
      const level = shaped.body.level ?? this.#levels.get(key);
      const body = level === undefined ? shaped.body : { ...shaped.body, level };
      yield { ...shaped, body, variants: [], isShownOnly: true };
      return;
    }
    const event = await singleEvent(this.#of, id, shaped);
    if (event === null) return;
    if (key !== null) this.#levels.set(key, event.body.level);
    yield event;
  }

  /** Events that no page had. */
  async *others(): AsyncGenerator<RemoteEvent> {
    for (const id of this.#alone) yield* this.listed({ id, shaped: null, hashes: null });
  }
}

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
        if (reply.status !== 404) throw refusal(access, reply, EVENTS_NEEDED);
      },
      signal,
    },
  );
  for await (const { row } of rows) {
    const id = isRecord(row) ? eventIdIn(row.latestEvent) : null;
    if (id !== null) yield id;
  }
}

interface OldestEvent {
  readonly id: string;
  readonly at: number | null;
}

async function oldestEvent(of: IssueOfProject): Promise<OldestEvent | null> {
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
  if (!reply.ok) throw refusal(access, reply, EVENTS_NEEDED);
  const id = eventIdIn(reply.body);
  return id === null || !isRecord(reply.body) ? null : { id, at: timeOf(reply.body.dateCreated) };
}
