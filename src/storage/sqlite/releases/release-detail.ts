import { MAX_RELEASES_SORTED, RELEASE_DAYS, type ReleaseDetail } from '../../../domain/releases/session.ts';
import { hourOf } from '../../fold.ts';
import { neighboursOf, withAnnouncedTimes } from '../../../domain/releases/release-order.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import { announcedTimes } from '../updates/release-times.ts';
import { healthOf, sessionCounts } from './release-list.ts';

/** Returns one release; see the port. */
export function releaseByName(
  db: SqliteDatabase,
  projectId: number,
  release: string,
  environment: string | null,
  now: number,
): ReleaseDetail | null {
  return db.snapshot(() => {
    const row = db.get(
      'SELECT * FROM releases WHERE project_id = ? AND environment = ? AND release = ? AND release <> ?',
      ...[projectId, environment ?? '', release, ''],
    );
    if (row === undefined) return null;
    const hours = db.all(
      'SELECT * FROM release_hours WHERE release_id = ? AND hour BETWEEN ? AND ? ORDER BY hour',
      ...[row.id as number, hourOf(now) - RELEASE_DAYS * 24 + 1, hourOf(now)],
    );
    const names = db.all(
      `SELECT release, first_seen FROM releases WHERE project_id = ? AND environment = '' AND release <> ''
        ORDER BY first_seen DESC, id DESC LIMIT ${MAX_RELEASES_SORTED}`,
      projectId,
    );
    const listed = names.map((each) => ({ release: each.release as string, firstSeen: each.first_seen as number }));
    const announced = db
      .all('SELECT release, created_at, released_at FROM build_releases WHERE project_id = ?', projectId)
      .map((each) => ({ release: each.release as string, ...announcedTimes(each) }));
    return {
      ...healthOf(db, projectId, environment, hourOf(now))(row),
      history: hours.map((each) => ({ hour: each.hour as number, ...sessionCounts(each) })),
      ...neighboursOf(release, withAnnouncedTimes(listed, announced)),
    };
  });
}
