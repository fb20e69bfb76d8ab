import { MAX_FILTER_VALUES, MAX_RELEASE_NAMES, type FilterValues } from '../../../domain/search/error-query.ts';
import { ERRORS_LOOKED_AT, environmentNames } from '../../search/environment-names.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import { STATUS_CODES } from '../../errors/error-status.ts';

/** Maximum members of each merged error whose environments are read. */
const MEMBERS_LOOKED_AT = 20;

/** Returns the values that errors can be filtered by; see the port. */
export function filterValues(db: SqliteDatabase, projectId: number, environment: string | null = null): FilterValues {
  return db.snapshot(() => {
    return {
      environments: environmentNames(ofErrors(db, projectId), ofReleases(db, projectId)),
      releases: newestReleases(db, projectId, environment, MAX_FILTER_VALUES),
    };
  });
}

/** Returns names of releases; see the port. */
export function releaseNames(db: SqliteDatabase, projectId: number): string[] {
  return newestReleases(db, projectId, null, MAX_RELEASE_NAMES);
}

/** `environment` null: all. */
function newestReleases(db: SqliteDatabase, projectId: number, environment: string | null, limit: number): string[] {
  const sql = `SELECT release FROM releases WHERE project_id = ? AND environment = ? AND release <> ''
    ORDER BY first_seen DESC, id DESC LIMIT ?`;
  return db.all(sql, projectId, environment ?? '', limit).map((row) => row.release as string);
}

/** Returns environments of releases. Each step seeks the next name in the index, past all releases of this one. */
function ofReleases(db: SqliteDatabase, projectId: number): string[] {
  const next = 'SELECT min(environment) FROM releases WHERE project_id = ? AND environment >';
  return db
    .all(
      `WITH RECURSIVE names (name) AS (
        SELECT (${next} '') UNION ALL SELECT (${next} name) FROM names WHERE name IS NOT NULL LIMIT ?
      ) SELECT name FROM names WHERE name IS NOT NULL`,
      projectId,
      projectId,
      MAX_FILTER_VALUES,
    )
    .map((row) => row.name as string);
}

/** Returns environments of the errors seen last, single and merged. */
function ofErrors(db: SqliteDatabase, projectId: number): string[] {
  const newest = (table: string, condition: string) =>
    Object.values(STATUS_CODES).map(
      (code) => `SELECT * FROM (SELECT id FROM ${table} WHERE project_id = ?1 AND status = ${code} ${condition}
        ORDER BY last_seen DESC LIMIT ?2)`,
    );
  const alone = newest('errors', 'AND merged_into IS NULL').join(' UNION ALL ');
  const roots = newest('error_groups', '').join(' UNION ALL ');
  const sql = `WITH rows AS (
      ${alone} UNION ALL
      SELECT m.id FROM (${roots}) g
        CROSS JOIN errors m ON m.id IN (SELECT id FROM errors WHERE merged_into = g.id LIMIT ${MEMBERS_LOOKED_AT})
    ) SELECT DISTINCT t.value FROM rows r CROSS JOIN error_tags t ON t.error_id = r.id AND t.key = 'environment'
      WHERE t.value <> '' LIMIT ?3`;
  return db.all(sql, projectId, ERRORS_LOOKED_AT, MAX_FILTER_VALUES).map((row) => row.value as string);
}
