import { newestOf, RELEASES_COMPARED } from '../../../domain/releases/release-order.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import { announcedTimes } from '../updates/release-times.ts';

/**
 * Returns the newest release of a project by the order of releases, of those first seen, or announced and not finished
 * later, until a time; null: it has none.
 */
export function newestRelease(db: SqliteDatabase, projectId: number, until: number): string | null {
  const seen = db.all(
    `SELECT release, first_seen FROM releases WHERE project_id = ? AND environment = '' AND release <> ''
      AND first_seen <= ? ORDER BY first_seen DESC, id DESC LIMIT ${RELEASES_COMPARED}`,
    ...[projectId, until],
  );
  const announced = db.all(
    `SELECT release, created_at, released_at FROM build_releases WHERE project_id = ?
      AND coalesce(released_at, created_at) <= ?
      ORDER BY coalesce(released_at, created_at) DESC, release LIMIT ${RELEASES_COMPARED}`,
    ...[projectId, until],
  );
  return newestOf(
    seen.map((row) => ({ release: row.release as string, firstSeen: row.first_seen as number })),
    announced.map((row) => ({ release: row.release as string, ...announcedTimes(row) })),
  );
}
