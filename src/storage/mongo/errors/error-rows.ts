import type { ExternalId } from '../../../domain/errors/error-origin.ts';
import type { Person } from '../../../domain/errors/error-state.ts';
import { parseDetails } from '../../../domain/errors/status-details.ts';
import type { FrequencyPoint, TrackedError } from '../../../domain/errors/tracked-error.ts';
import { statusName } from '../../errors/error-status.ts';
import { marksOf } from '../../state/marks.ts';
import { MARK_MEMBERS, storedMarks, type MarkMembers } from '../updates/marks.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';
import { extrasOf } from '../updates/shown-extras.ts';

/** Members of an error's document shown in lists and pages. */
export const ERROR_ROW = {
  p: 1,
  id: 1,
  v: 1,
  st: 1,
  det: 1,
  as: 1,
  c: 1,
  u: 1,
  'first.at': 1,
  'first.release': 1,
  'last.at': 1,
  'last.release': 1,
  'last.type': 1,
  'last.message': 1,
  'last.title': 1,
  'last.culprit': 1,
  'last.level': 1,
  'last.platform': 1,
  rg: 1,
  rk: 1,
  ...MARK_MEMBERS,
} as const;

export type ErrorRow = Pick<
  ErrorDocument,
  'det' | 'as' | '_id' | 'p' | 'id' | 'v' | 'st' | 'c' | 'u' | 'first' | 'last' | 'g' | 'rg' | 'rk'
> &
  MarkMembers;

/** Returns the row, with the displayed row of a merge root. */
export function withMergedTotals(row: ErrorRow): ErrorRow {
  const { g } = row;
  if (g === undefined) return row;
  const { reg: _reg, esc: _esc, um: _um, ask: _ask, uh: _uh, rg: _rg, rk: _rk, ...own } = row;
  const { c, u, first, last } = g;
  return { ...own, c, u, first, last, ...extrasOf(g) };
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
    type: last.type,
    title: last.title,
    message: last.message,
    culprit: last.culprit,
    level: last.level,
    platform: last.platform,
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
