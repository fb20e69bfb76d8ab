import type { Person } from '../../../domain/error-state.ts';
import type { ExternalId } from '../../../domain/error-origin.ts';
import type { Level } from '../../../domain/event.ts';
import type { FrequencyPoint, TrackedError } from '../../../domain/tracked-error.ts';
import { parseDetails } from '../../../domain/status-details.ts';
import { emptyPoints, HOURS_SHOWN } from '../../frequency.ts';
import type { SqliteDatabase } from '../database.ts';
import type { Row } from '../driver.ts';
import { statusName } from '../../error-status.ts';

export const ERROR_COLUMNS = `id, project_id, status, status_details, assignee_id, count, user_count, first_seen, first_release, last_seen,
  last_release, level, platform, type, title, culprit, message`;

export function toTrackedError(
  row: Row,
  frequency: readonly FrequencyPoint[],
  externalIds: readonly ExternalId[],
  assignee: Person | null,
): TrackedError {
  return {
    id: String(row.id),
    projectId: row.project_id as number,
    type: row.type as string | null,
    title: row.title as string,
    message: row.message as string | null,
    culprit: row.culprit as string | null,
    level: row.level as Level,
    platform: row.platform as string,
    status: statusName(row.status as number),
    statusDetails: parseDetails(row.status_details as string | null),
    assignee,
    count: row.count as number,
    userCount: row.user_count as number,
    firstSeen: row.first_seen as number,
    lastSeen: row.last_seen as number,
    firstRelease: row.first_release as string | null,
    lastRelease: row.last_release as string | null,
    externalUrl: null,
    externalIds,
    tracker: null,
    frequency,
    rangeCount: null,
    marks: null,
  };
}

/**
 * Returns counts of the 24 hours that end with `currentHour`, for all errors of a page in one query. `shownAs`: error
 * under which each row's counts are shown.
 */
export function hourlyFrequency(
  db: SqliteDatabase,
  shownAs: ReadonlyMap<number, number>,
  currentHour: number,
): (errorId: number) => FrequencyPoint[] {
  const firstHour = currentHour - HOURS_SHOWN + 1;
  const points = new Map<number, FrequencyPoint[]>();
  for (const id of shownAs.values()) {
    points.set(id, emptyPoints(firstHour * 3600, 3600, HOURS_SHOWN));
  }
  const rows = db.all(
    `SELECT error_id, hour, count FROM error_hours
        WHERE error_id IN (SELECT value FROM json_each(?1)) AND hour BETWEEN ?2 AND ?3
      UNION ALL SELECT error_id, hour, count FROM imported_buckets
        WHERE error_id IN (SELECT value FROM json_each(?1)) AND hours = 1 AND hour BETWEEN ?2 AND ?3`,
    JSON.stringify([...shownAs.keys()]),
    firstHour,
    currentHour,
  );
  for (const row of rows) {
    const point = points.get(shownAs.get(row.error_id as number) ?? 0)?.[(row.hour as number) - firstHour];
    if (point !== undefined) {
      point[1] += row.count as number;
    }
  }
  return (errorId) => points.get(errorId) ?? [];
}
