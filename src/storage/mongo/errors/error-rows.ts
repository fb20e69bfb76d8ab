import type { ExternalId } from '../../../domain/errors/error-origin.ts';
import type { Person } from '../../../domain/errors/error-state.ts';
import { parseDetails } from '../../../domain/errors/status-details.ts';
import type { FrequencyPoint, TrackedError } from '../../../domain/errors/tracked-error.ts';
import { statusName } from '../../errors/error-status.ts';
import { marksOf } from '../../state/marks.ts';
import { storedMarks, type MarkMembers } from '../updates/marks.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';
import { MARK_MEMBERS, SHOWN_MEMBERS, textsIn } from '../documents/error-members.ts';
import { extrasOf, withoutExtras } from '../updates/shown-extras.ts';

/** Members of an error's document shown in lists and pages. */
export const ERROR_ROW = { ...SHOWN_MEMBERS, v: 1, rg: 1, rk: 1, ...MARK_MEMBERS } as const;

export type ErrorRow = Pick<
  ErrorDocument,
  'det' | 'as' | '_id' | 'p' | 'id' | 'v' | 'st' | 'c' | 'u' | 'first' | 'last' | 'g' | 'rg' | 'rk'
> &
  MarkMembers;

/** Returns the row, with the displayed row of a merge root. */
export function withMergedTotals(row: ErrorRow): ErrorRow {
  const { g } = row;
  if (g === undefined) return row;
  const { c, u, first, last } = g;
  return { ...withoutExtras(row), c, u, first, last, ...extrasOf(g) };
}

export function toTrackedError(
  row: ErrorRow,
  frequency: readonly FrequencyPoint[],
  externalIds: readonly ExternalId[],
  assignee: Person | null,
  { now, rangeCount = null }: { readonly now: number; readonly rangeCount?: number | null },
): TrackedError {
  const { first, last } = row;
  const status = statusName(row.st);
  return {
    id: String(row.id),
    projectId: row.p,
    ...textsIn(last),
    status,
    statusDetails: parseDetails(row.det ?? null),
    assignee,
    count: row.c,
    userCount: row.u,
    firstSeen: first.at,
    lastSeen: last.at,
    firstRelease: first.release,
    lastRelease: last.release,
    externalUrl: null,
    externalIds,
    tracker: null,
    frequency,
    rangeCount,
    marks: marksOf(storedMarks(row), { status, firstSeen: first.at }, now),
  };
}
