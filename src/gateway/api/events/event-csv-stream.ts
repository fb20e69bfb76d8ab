import type { EventOptions, EventPage } from '../../../domain/event-list.ts';
import type { ErrorBackend } from '../../../domain/ports/error-backend.ts';
import type { Project } from '../../../domain/project.ts';
import type { MaybeStale } from '../../../domain/tracked-error.ts';
import { BYTE_ORDER_MARK } from '../../../lib/csv.ts';
import { cutOffEventRecord, EVENT_CSV_HEAD, eventCsvRecord } from './event-csv.ts';

/** Events read at a time. */
const PAGE = 100;
/** Maximum of events looked at: each costs a read of its body. */
const MAX_EVENTS = 10_000;
/** Maximum of pages, each of which is a request to an external tracker. */
const MAX_PAGES = 200;

export interface EventCsvSource {
  readonly backend: Pick<ErrorBackend, 'listEvents'>;
  readonly project: Project;
  readonly errorId: string;
  readonly options: EventOptions;
  readonly signal?: AbortSignal;
}

export interface EventCsv extends MaybeStale {
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
