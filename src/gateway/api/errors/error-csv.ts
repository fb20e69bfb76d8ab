import type { ErrorMarks } from '../../../domain/error-marks.ts';
import type { TrackedError } from '../../../domain/tracked-error.ts';
import { csvRecord } from '../../../lib/csv.ts';
import { presentMarks } from './error-presenter.ts';
import { errorUrl, type ErrorContext } from '../shared/error-place.ts';
import { isoTime } from '../../http/iso-time.ts';
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
export const ERROR_CSV_HEAD = csvRecord(COLUMNS);

/** Returns the last record of a list that was not read to its end: without an id, its title says so. */
export function cutOffCsvRecord(errors: number): string {
  const text = `The list is longer: it was cut off after ${errors} errors of the tracker. Narrow the filters.`;
  return csvRecord(COLUMNS.map((column) => (column === 'title' ? text : null)));
}

/** Returns the record of an error. `assignee`: a username, or an e-mail address of the former tracker. */
export function errorCsvRecord(error: TrackedError, context: ErrorContext, assignee: string | null): string {
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
  const shown = Object.entries(presentMarks(marks));
  return shown.flatMap(([name, mark]) => (mark === null || mark === false ? [] : [name])).join(' ');
}
