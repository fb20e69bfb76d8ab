import type { FactCause } from '../../../domain/errors/fact-cause.ts';
import type { Person } from '../../../domain/errors/error-state.ts';
import type { ExternalId } from '../../../domain/errors/error-origin.ts';
import type { ErrorTexts } from '../../../domain/errors/error-texts.ts';
import type { TrackedError } from '../../../domain/errors/tracked-error.ts';
import { parseDetails } from '../../../domain/errors/status-details.ts';
import type { Row, SqlValue } from '../engine/driver.ts';
import {
  columnsOf,
  ERROR_FIELDS,
  FIELDS,
  PLAIN_FIELDS,
  TEXT_FIELDS,
  type PlainField,
} from '../../errors/error-fields.ts';
import { statusName } from '../../errors/error-status.ts';
import type { StoredError } from '../../errors/stored-error.ts';
import type { StoredMarks } from '../../../domain/errors/error-marks.ts';
import { marksOf } from '../../state/marks.ts';
import type { Chart } from './charts.ts';

/** Columns of lists and details, which displayed rows of merged errors have too. */
export const ERROR_COLUMNS = FIELDS.flatMap(([, { column, shown }]) => (shown ? [column] : [])).join(', ');

/** Columns of the marks of an error, and of a displayed row. */
export const MARK_COLUMNS = columnsOf('mark');

/** Columns that follow from the newest event, in the order of `textValues`. */
export const TEXT_COLUMNS = columnsOf('text', 'search');

/** Assignments of these columns. */
export const SET_TEXTS = TEXT_COLUMNS.map((column) => `${column} = ?`).join(', ');

export function textValues(texts: ErrorTexts, searchText: string): SqlValue[] {
  return [...TEXT_FIELDS.map((name) => texts[name]), searchText];
}

/** Returns the texts of a row of `errors` or `error_groups`. */
export function textsIn(row: Row): ErrorTexts {
  return fieldsIn(row, TEXT_FIELDS);
}

/** Returns all fields of a row of `errors` whose value is stored as it is. */
export function plainFields(row: Row): Pick<StoredError, PlainField> {
  return fieldsIn(row, PLAIN_FIELDS);
}

function fieldsIn<F extends PlainField>(row: Row, names: readonly F[]): Pick<StoredError, F> {
  // The table of fields types the columns.
  return Object.fromEntries(names.map((name) => [name, row[ERROR_FIELDS[name].column]])) as Pick<StoredError, F>;
}

/** What a displayed error has beside its row. */
export interface ErrorParts {
  readonly chart: Chart;
  readonly externalIds: readonly ExternalId[];
  readonly assignee: Person | null;
}

export function toTrackedError(row: Row, { chart, externalIds, assignee }: ErrorParts, now: number): TrackedError {
  const status = statusName(row.status as number);
  const firstSeen = row.first_seen as number;
  return {
    id: String(row.id),
    projectId: row.project_id as number,
    ...textsIn(row),
    status,
    statusDetails: parseDetails(row.status_details as string | null),
    assignee,
    count: row.count as number,
    userCount: row.user_count as number,
    firstSeen,
    lastSeen: row.last_seen as number,
    firstRelease: row.first_release as string | null,
    lastRelease: row.last_release as string | null,
    externalUrl: null,
    externalIds,
    tracker: null,
    frequency: chart.points,
    rangeCount: chart.rangeCount,
    marks: marksOf(storedMarks(row), { status, firstSeen }, now),
  };
}

export function storedMarks(row: Row): StoredMarks {
  const {
    regressed_at: regressedAt,
    regressed_release: release,
    escalated_at: escalatedAt,
    escalated_cause: cause,
  } = row;
  const { unmuted_at: unmutedAt, unmuted_cause: unmutedBy } = row;
  const { review_at: reviewAt, unhandled } = row;
  return {
    regressed: regressedAt === null ? null : { at: regressedAt as number, release: release as string | null },
    escalated:
      escalatedAt === null ? null : { at: escalatedAt as number, cause: JSON.parse(cause as string) as FactCause },
    unmuted:
      unmutedAt === null ? null : { at: unmutedAt as number, cause: JSON.parse(unmutedBy as string) as FactCause },
    reviewAt: reviewAt as number | null,
    unhandled: unhandled === null ? null : unhandled === 1,
  };
}
