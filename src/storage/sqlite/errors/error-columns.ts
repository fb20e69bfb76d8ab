import type { FactCause } from '../../../domain/errors/fact-cause.ts';
import type { Person } from '../../../domain/errors/error-state.ts';
import type { ExternalId } from '../../../domain/errors/error-origin.ts';
import type { Level } from '../../../domain/events/event.ts';
import type { TrackedError } from '../../../domain/errors/tracked-error.ts';
import { parseDetails } from '../../../domain/errors/status-details.ts';
import type { Row } from '../engine/driver.ts';
import { statusName } from '../../errors/error-status.ts';
import type { StoredMarks } from '../../../domain/errors/error-marks.ts';
import { marksOf } from '../../state/marks.ts';
import type { Chart } from './charts.ts';

export const ERROR_COLUMNS = `id, project_id, status, status_details, assignee_id, count, user_count, first_seen, first_release, last_seen,
  last_release, level, platform, type, title, culprit, message, regressed_at, regressed_release, escalated_at,
  escalated_cause, unmuted_at, unmuted_cause, review_at, unhandled`;

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
    type: row.type as string | null,
    title: row.title as string,
    message: row.message as string | null,
    culprit: row.culprit as string | null,
    level: row.level as Level,
    platform: row.platform as string,
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
