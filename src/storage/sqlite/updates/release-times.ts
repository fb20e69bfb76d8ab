import { releaseTime, type AnnouncedTimes } from '../../../domain/releases/release-order.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { Row } from '../engine/driver.ts';

/** Reads the times of a row of `build_releases`. */
export function announcedTimes(row: Row): AnnouncedTimes {
  return { createdAt: row.created_at as number, releasedAt: row.released_at as number | null };
}

/** Returns the time of a release by the order of releases; undefined: neither events nor builds brought it. */
export function timeOfRelease(db: SqliteDatabase, projectId: number, release: string): number | undefined {
  const seen = db.get(
    "SELECT first_seen FROM releases WHERE project_id = ? AND environment = '' AND release = ?",
    ...[projectId, release],
  );
  const announced = db.get(
    'SELECT created_at, released_at FROM build_releases WHERE project_id = ? AND release = ?',
    ...[projectId, release],
  );
  return releaseTime(
    seen?.first_seen as number | undefined,
    announced === undefined ? undefined : announcedTimes(announced),
  );
}
