import type { Level } from '../../../domain/events/event.ts';
import type { ResolvedInCommit } from '../../../domain/ports/stores/release-store.ts';
import { MAX_RELEASE_ERRORS, type ReleaseError, type ReleaseErrors } from '../../../domain/releases/session.ts';
import { parseDetails } from '../../../domain/errors/status-details.ts';
import { STATUS_CODES, statusName } from '../../errors/error-status.ts';
import { COMMIT_START, commitRanges, resolvedRanges } from '../../state/resolved-ranges.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { Row } from '../engine/driver.ts';

/** Entries of the index of releases that are read per release: other projects may have a release of the same name. */
const MAX_READ = 4 * MAX_RELEASE_ERRORS;

const COLUMNS = `id, type, title, culprit, level, status, first_seen, last_seen, first_release, last_release,
  regressed_release`;

/** Returns the errors of one or two releases; see the port. */
export function releaseErrors(
  db: SqliteDatabase,
  projectId: number,
  releases: readonly string[],
  environment: string | null,
): ReleaseErrors {
  return db.snapshot(() => {
    const counts = new Map<number, number[]>();
    let complete = true;
    for (const [index, release] of releases.entries()) {
      const read = db.number(
        `SELECT count(*) FROM (SELECT 1 FROM error_tags INDEXED BY error_tags_of_release
          WHERE key = 'release' AND value = ? LIMIT ${MAX_READ})`,
        release,
      );
      const rows = db.all(
        `SELECT coalesce(e.merged_into, e.id) AS root, t.count
          FROM (SELECT error_id, count FROM error_tags INDEXED BY error_tags_of_release
            WHERE key = 'release' AND value = ?1 ORDER BY error_id DESC LIMIT ${MAX_READ}) t
          CROSS JOIN errors e ON e.id = t.error_id
          WHERE e.project_id = ?2 AND (?3 IS NULL OR EXISTS (SELECT 1 FROM error_tags v
            WHERE v.error_id = t.error_id AND v.key = 'environment' AND v.value = ?3))
          LIMIT ${MAX_RELEASE_ERRORS + 1}`,
        ...[release, projectId, environment],
      );
      complete &&= read < MAX_READ && rows.length <= MAX_RELEASE_ERRORS;
      for (const { root, count } of rows.slice(0, MAX_RELEASE_ERRORS)) {
        const sums = counts.get(root as number) ?? releases.map(() => 0);
        sums[index] = (sums[index] ?? 0) + (count as number);
        counts.set(root as number, sums);
      }
    }
    const shown = db.all(
      `SELECT ${COLUMNS} FROM errors WHERE id IN (SELECT value FROM json_each(?1)) AND merged_into IS NULL
        UNION ALL SELECT ${COLUMNS} FROM error_groups WHERE id IN (SELECT value FROM json_each(?1))`,
      JSON.stringify([...counts.keys()]),
    );
    return { errors: shown.map((row) => toReleaseError(row, counts.get(row.id as number) ?? [])), complete };
  });
}

/** Returns the errors that are resolved in a commit alone; see the port. */
export function resolvedInCommit(
  db: SqliteDatabase,
  projectId: number,
  digits: string,
  limit: number,
): ResolvedInCommit[] {
  // LIKE compares without case.
  const sql = `SELECT id, status_details FROM errors WHERE project_id = ? AND status = ?
    AND status_details >= ? AND status_details < ? AND status_details LIKE ? LIMIT ?`;
  const like = `${COMMIT_START}${digits}%`;
  return db.snapshot(() =>
    commitRanges(digits)
      .flatMap((range) => db.all(sql, projectId, STATUS_CODES.resolved, ...range, like, limit))
      .slice(0, limit)
      .flatMap((row) => {
        const { inCommit } = parseDetails(row.status_details as string) ?? {};
        return inCommit === undefined ? [] : [{ errorId: String(row.id), inCommit }];
      }),
  );
}

/** Returns the errors that are resolved in a release; see the port. */
export function resolvedInRelease(
  db: SqliteDatabase,
  projectId: number,
  release: string,
  previous: string | null,
  limit: number,
): ReleaseErrors {
  return db.snapshot(() => {
    const rows = resolvedRanges(release, previous).flatMap(([from, until]) =>
      db.all(
        `SELECT ${COLUMNS} FROM errors WHERE project_id = ?1 AND status = ?2 AND merged_into IS NULL
            AND status_details >= ?3 AND status_details < ?4
          UNION ALL SELECT ${COLUMNS} FROM error_groups WHERE project_id = ?1 AND status = ?2
            AND status_details >= ?3 AND status_details < ?4
          LIMIT ?5`,
        ...[projectId, STATUS_CODES.resolved, from, until, limit + 1],
      ),
    );
    return {
      errors: rows.slice(0, limit).map((row) => toReleaseError(row, [])),
      complete: rows.length <= limit,
    };
  });
}

function toReleaseError(row: Row, counts: readonly number[]): ReleaseError {
  return {
    id: String(row.id),
    type: row.type as string | null,
    title: row.title as string,
    culprit: row.culprit as string | null,
    level: row.level as Level,
    status: statusName(row.status as number),
    firstSeen: row.first_seen as number,
    lastSeen: row.last_seen as number,
    firstRelease: row.first_release as string | null,
    lastRelease: row.last_release as string | null,
    regressedIn: row.regressed_release as string | null,
    counts,
  };
}
