import { MAX_TAG_NAMES } from '../../../domain/search/search-keys.ts';
import { ERRORS_LOOKED_AT } from '../../search/environment-names.ts';
import { STATUS_CODES } from '../../errors/error-status.ts';
import { suggestedValues } from '../../search/suggested-values.ts';
import type { SqliteDatabase } from '../engine/database.ts';

/** Numbers of the errors seen last of each status, single and merged; of merged ones their roots. */
const NEWEST = ['errors|AND merged_into IS NULL', 'error_groups|']
  .flatMap((source) => {
    const [table = '', condition = ''] = source.split('|');
    return Object.values(STATUS_CODES).map(
      (code) => `SELECT * FROM (SELECT id FROM ${table} WHERE project_id = ?1 AND status = ${code} ${condition}
        ORDER BY last_seen DESC LIMIT ${ERRORS_LOOKED_AT})`,
    );
  })
  .join(' UNION ALL ');

/** Returns the names of tags that a project's errors have; see the port. */
export function tagNames(db: SqliteDatabase, projectId: number): string[] {
  const sql = `SELECT DISTINCT k.key FROM (${NEWEST}) r CROSS JOIN error_tag_keys k ON k.error_id = r.id
    ORDER BY k.key LIMIT ${MAX_TAG_NAMES}`;
  return db.all(sql, projectId).map((row) => row.key as string);
}

/** Returns values of a tag that begin with a prefix; see the port. */
export function tagValues(
  db: SqliteDatabase,
  projectId: number,
  key: string,
  prefix: string,
  names: boolean,
): string[] {
  // Compared here, because SQLite ignores the case of ASCII only.
  const sql = `SELECT DISTINCT t.value FROM (${NEWEST}) r CROSS JOIN error_tags t ON t.error_id = r.id AND t.key = ?2
    WHERE t.value <> ''`;
  const values = db.all(sql, projectId, key).map((row) => row.value as string);
  return suggestedValues(values, prefix, names);
}
