import type { EventOptions, EventPage } from '../../../domain/events/event-list.ts';
import type { ErrorBackend } from '../../../domain/ports/error-backend.ts';
import type { Project } from '../../../domain/projects/project.ts';
import type { EventSummary } from '../../../domain/events/tracked-event.ts';
import type { MaybeStale } from '../../../domain/page.ts';
import { csvRecord, BYTE_ORDER_MARK } from '../../../lib/csv.ts';
import { isoTime } from '../../http/iso-time.ts';

const COLUMNS = [
  ...(['event_id', 'error_id', 'timestamp', 'received_at', 'message', 'level', 'release', 'environment'] as const),
  ...(['user_id', 'username', 'email', 'user_name', 'ip_address'] as const),
  ...(['transaction', 'url', 'browser', 'os', 'runtime', 'device', 'server_name'] as const),
] as const;

/** Names of the columns, as the first record. */
const EVENT_CSV_HEAD = csvRecord(COLUMNS);

/** Returns the last record of a list that was not read to its end: without an id, its message says so. */
function cutOffEventRecord(events: number): string {
  const text = `There are more events: the list was cut off after ${events}. Narrow the filters.`;
  return csvRecord(COLUMNS.map((column) => (column === 'message' ? text : null)));
}

/** Returns the record of an event; without its body only ids and times. */
function eventCsvRecord({ eventId, errorId, at, receivedAt, columns }: EventSummary): string {
  const user = columns?.user ?? null;
  return csvRecord(
    [
      ...[eventId, errorId, isoTime(at), isoTime(receivedAt)],
      ...[columns?.message, columns?.level, columns?.release, columns?.environment],
      ...[user?.id, user?.username, user?.email, user?.name, user?.ip_address],
      ...[columns?.transaction, columns?.url, columns?.browser, columns?.os, columns?.runtime, columns?.device],
      columns?.serverName,
    ].map((value) => value ?? null),
  );
}

/** Events read at a time. */
const PAGE = 100;
/** Maximum of events looked at: each costs a read of its body. */
const MAX_EVENTS = 10_000;
/** Maximum of pages, each of which is a request to an external tracker. */
const MAX_PAGES = 200;

interface EventCsvSource {
  readonly backend: Pick<ErrorBackend, 'listEvents'>;
  readonly project: Project;
  readonly errorId: string;
  readonly options: EventOptions;
  readonly signal?: AbortSignal;
}

interface EventCsv extends MaybeStale {
  /** Parts of the text, in order. */
  readonly texts: AsyncIterable<string>;
}

function readPage({ backend, project, errorId, options, signal }: EventCsvSource, cursor: string | null) {
  return backend.listEvents(project, errorId, PAGE, cursor, options, signal);
}

/**
 * Reads the first page, so that a refusal is thrown at once, and returns all pages as CSV, one at a time. Beyond 10,000
 * events it ends with a record that says so.
 */
export async function eventCsv(source: EventCsvSource, byteOrderMark: boolean): Promise<EventCsv> {
  const first = await readPage(source, null);
  const texts = records(source, first, byteOrderMark);
  return first.staleSince === undefined ? { texts } : { texts, staleSince: first.staleSince };
}

async function* records(source: EventCsvSource, first: EventPage, byteOrderMark: boolean): AsyncGenerator<string> {
  yield byteOrderMark ? `${BYTE_ORDER_MARK}${EVENT_CSV_HEAD}` : EVENT_CSV_HEAD;
  let page = first;
  let looked = 0;
  for (let pages = 1; ; pages += 1) {
    if (page.items.length > 0) yield page.items.map(eventCsvRecord).join('');
    looked += page.searched ?? page.items.length;
    if (page.next === null) return;
    if (looked >= MAX_EVENTS || pages >= MAX_PAGES) {
      yield cutOffEventRecord(looked);
      return;
    }
    source.signal?.throwIfAborted();
    page = await readPage(source, page.next);
  }
}
