import type { ErrorMarks } from '../../../domain/errors/error-marks.ts';
import type { ErrorBackend } from '../../../domain/ports/error-backend.ts';
import type { ImportStore } from '../../../domain/ports/stores/import-store.ts';
import type { TrackedError } from '../../../domain/errors/tracked-error.ts';
import type { ErrorQuery } from '../../../domain/search/error-query.ts';
import type { MaybeStale, Page } from '../../../domain/page.ts';
import { csvRecord, BYTE_ORDER_MARK } from '../../../lib/csv.ts';
import { isoTime } from '../../http/iso-time.ts';
import { errorUrl, type ErrorContext } from '../shared/error-place.ts';
import { presentMarks } from './error-presenter.ts';
import { presentStatusDetails } from './triage-presenter.ts';

const COLUMNS = [
  'id',
  'short_id',
  'title',
  'type',
  'culprit',
  'level',
  'status',
  'events_all_time',
  'users_all_time',
  'first_seen',
  'last_seen',
  'first_release',
  'last_release',
  'assignee',
  'url',
  'external_id',
  'status_details',
  'range_count',
  'marks',
] as const;

/** Names of the columns, as the first record. */
const ERROR_CSV_HEAD = csvRecord(COLUMNS);

/** Returns the last record of a list that was not read to its end: without an id, its title says so. */
function cutOffCsvRecord(errors: number): string {
  const text = `The list is longer: it was cut off after ${errors} errors of the tracker. Narrow the filters.`;
  return csvRecord(COLUMNS.map((column) => (column === 'title' ? text : null)));
}

/** Returns the record of an error. `assignee`: a username, or an e-mail address of the former tracker. */
function errorCsvRecord(error: TrackedError, context: ErrorContext, assignee: string | null): string {
  const idOf = (kind: string): string | null => error.externalIds.find((id) => id.kind === kind)?.value ?? null;
  return csvRecord([
    error.id,
    idOf('short_id') ?? error.tracker?.shortId ?? null,
    error.title,
    error.type,
    error.culprit,
    error.level,
    error.status,
    error.count,
    error.userCount,
    isoTime(error.firstSeen),
    isoTime(error.lastSeen),
    error.firstRelease,
    error.lastRelease,
    assignee,
    errorUrl(context, error.id),
    idOf('issue'),
    error.statusDetails === null ? null : JSON.stringify(presentStatusDetails(error.statusDetails)),
    error.rangeCount,
    error.marks === null ? null : markWords(error.marks),
  ]);
}

/** Returns the names of the marks that an error has, with a space between them. */
function markWords(marks: ErrorMarks): string {
  const shown = Object.entries<unknown>(presentMarks(marks));
  return shown.flatMap(([name, mark]) => (mark === null || mark === false ? [] : [name])).join(' ');
}

/** Errors read at a time. */
const PAGE = 100;
/** Pages of an external tracker, each of which is a request to it. */
const MAX_TRACKER_PAGES = 100;

interface ErrorCsvSource {
  readonly backend: Pick<ErrorBackend, 'list'>;
  /** Knows the assignees of imported errors. */
  readonly store: Pick<ImportStore, 'importedOrigin'>;
  readonly context: ErrorContext;
  readonly signal?: AbortSignal;
}

interface ErrorCsvOptions {
  readonly byteOrderMark: boolean;
  /** Leaves out errors last seen before this time in milliseconds. */
  readonly seenSince: number;
}

interface ErrorCsv extends MaybeStale {
  /** Parts of the text, in order. */
  readonly texts: AsyncIterable<string>;
}

type ListQuery = Omit<ErrorQuery, 'limit' | 'cursor'>;

/**
 * Reads the first page, so that a refusal is thrown at once, and returns all pages as CSV, one at a time. Errors that
 * come meanwhile may be missing. The list of an external tracker ends after 10,000 errors, with a record that says so.
 */
export async function errorCsv(source: ErrorCsvSource, query: ListQuery, options: ErrorCsvOptions): Promise<ErrorCsv> {
  const first = await readPage(source, query, null);
  const texts = records(source, query, first, options);
  return first.staleSince === undefined ? { texts } : { texts, staleSince: first.staleSince };
}

function readPage(source: ErrorCsvSource, query: ListQuery, cursor: string | null): Promise<Page<TrackedError>> {
  return source.backend.list(source.context.project, { ...query, limit: PAGE, cursor }, source.signal);
}

async function* records(
  source: ErrorCsvSource,
  query: ListQuery,
  first: Page<TrackedError>,
  { byteOrderMark, seenSince }: ErrorCsvOptions,
): AsyncGenerator<string> {
  yield byteOrderMark ? `${BYTE_ORDER_MARK}${ERROR_CSV_HEAD}` : ERROR_CSV_HEAD;
  const { integrated } = source.context;
  // Trackers repeat an error that moves to a later page meanwhile.
  const written = new Set<string>();
  let page = first;
  for (let pages = 1; ; pages += 1) {
    const items = page.items.filter(({ id, lastSeen }) => lastSeen >= seenSince && (integrated || !written.has(id)));
    if (!integrated) for (const { id } of items) written.add(id);
    if (items.length > 0) yield await recordsOf(source, items);
    if (page.next === null) return;
    if (!integrated && pages >= MAX_TRACKER_PAGES) {
      yield cutOffCsvRecord(written.size);
      return;
    }
    source.signal?.throwIfAborted();
    page = await readPage(source, query, page.next);
  }
}

async function recordsOf(source: ErrorCsvSource, items: readonly TrackedError[]): Promise<string> {
  const assignees = await Promise.all(items.map((error) => assigneeOf(source, error)));
  return items.map((error, index) => errorCsvRecord(error, source.context, assignees[index] ?? null)).join('');
}

/** Returns the username of the assignee, else the address of the one in the former tracker. */
async function assigneeOf({ store, context }: ErrorCsvSource, error: TrackedError): Promise<string | null> {
  if (error.assignee !== null) return error.assignee.username;
  if (!context.integrated || error.externalIds.length === 0) return null;
  return (await store.importedOrigin(context.project.id, error.id))?.assignee ?? null;
}
