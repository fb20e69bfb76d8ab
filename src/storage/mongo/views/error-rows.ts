import type { ExternalId } from '../../../domain/error-origin.ts';
import type { Person } from '../../../domain/error-state.ts';
import { parseDetails } from '../../../domain/status-details.ts';
import type { FrequencyPoint, TrackedError } from '../../../domain/tracked-error.ts';
import { statusName } from '../../error-status.ts';
import type { ErrorDocument } from '../documents.ts';

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
} as const;

export type ErrorRow = Pick<
  ErrorDocument,
  'det' | 'as' | '_id' | 'p' | 'id' | 'v' | 'st' | 'c' | 'u' | 'first' | 'last' | 'g'
>;

/** Returns the row, with the displayed row of a merge root. */
export function asShown(row: ErrorRow): ErrorRow {
  const { g } = row;
  return g === undefined ? row : { ...row, c: g.c, u: g.u, first: g.first, last: g.last };
}

export function toTrackedError(
  row: ErrorRow,
  frequency: readonly FrequencyPoint[],
  externalIds: readonly ExternalId[],
  assignee: Person | null,
): TrackedError {
  const { first, last } = row;
  return {
    id: String(row.id),
    projectId: row.p,
    type: last.type,
    title: last.title,
    message: last.message,
    culprit: last.culprit,
    level: last.level,
    platform: last.platform,
    status: statusName(row.st),
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
    rangeCount: null,
    marks: null,
  };
}
