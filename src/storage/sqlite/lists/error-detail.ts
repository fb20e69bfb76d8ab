import type { TimeRange } from '../../../domain/search/time-range.ts';
import type {
  FrequencyPoint,
  MergedError,
  TagSpread,
  TrackedErrorDetail,
} from '../../../domain/errors/tracked-error.ts';
import { hourOf } from '../../fold.ts';
import { DAYS_SHOWN, emptyPoints } from '../../errors/frequency.ts';
import { mergeTagSpreads } from '../../merge/merge-tag-spreads.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import { chartsOf } from '../errors/charts.ts';
import { ERROR_COLUMNS, toTrackedError } from '../errors/error-columns.ts';
import { groupOf } from '../errors/error-groups.ts';
import { externalIdsOf, originOf } from '../errors/import-views.ts';
import { assigneesOf } from '../status/triage-views.ts';

export function errorById(
  db: SqliteDatabase,
  projectId: number,
  errorId: string,
  now: number,
  range?: TimeRange,
): TrackedErrorDetail | null {
  return db.snapshot(() => {
    const group = groupOf(db, projectId, errorId);
    if (group === null) {
      return null;
    }
    const { root, members, moved } = group;
    const table = members.length > 1 ? 'error_groups' : 'errors';
    const row = db.get(`SELECT ${ERROR_COLUMNS} FROM ${table} WHERE id = ?`, root);
    if (row === undefined) {
      return null;
    }
    const tags = mergeTagSpreads(members.map((id) => tagSpreads(db, id)));
    const shownAs = new Map(members.map((id) => [id, root]));
    return {
      ...toTrackedError(
        row,
        {
          chart: chartsOf(db, shownAs, range, now)(root),
          externalIds: externalIdsOf(db, shownAs)(root),
          assignee: assigneesOf(db, [row])(root),
        },
        now,
      ),
      frequency30d: dailyFrequency(db, members, now),
      tags,
      environments: valuesOf(tags, 'environment'),
      releases: valuesOf(tags, 'release'),
      merged: mergedErrors(db, root, members),
      mergedInto: moved ? String(root) : null,
      imported: originOf(db, members),
    };
  });
}

function mergedErrors(db: SqliteDatabase, root: number, members: readonly number[]): MergedError[] {
  const sql = 'SELECT id, title, count FROM errors WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id';
  return db
    .all(sql, JSON.stringify(members.filter((id) => id !== root)))
    .map((row) => ({ id: String(row.id), title: row.title as string, count: row.count as number }));
}

function dailyFrequency(db: SqliteDatabase, members: readonly number[], now: number): FrequencyPoint[] {
  const firstDay = Math.floor(hourOf(now) / 24) - DAYS_SHOWN + 1;
  const points = emptyPoints(firstDay * 86_400, 86_400, DAYS_SHOWN);
  const rows = db.all(
    `SELECT hour / 24 AS day, sum(count) AS count FROM (
        SELECT hour, count FROM error_hours
          WHERE error_id IN (SELECT value FROM json_each(?1)) AND hour BETWEEN ?2 AND ?3
        UNION ALL SELECT hour, count FROM imported_buckets
          WHERE error_id IN (SELECT value FROM json_each(?1)) AND hours = 24 AND hour BETWEEN ?2 AND ?3
      ) GROUP BY 1`,
    JSON.stringify(members),
    firstDay * 24,
    hourOf(now),
  );
  for (const row of rows) {
    const point = points[(row.day as number) - firstDay];
    if (point !== undefined) {
      point[1] = row.count as number;
    }
  }
  return points;
}

/** Returns keys and values, most frequent first; equal ones by name. */
function tagSpreads(db: SqliteDatabase, errorId: number): TagSpread[] {
  const values = new Map<string, { value: string; count: number }[]>();
  const sql = 'SELECT key, value, count FROM error_tags WHERE error_id = ? ORDER BY count DESC, value';
  for (const row of db.all(sql, errorId)) {
    const key = row.key as string;
    const list = values.get(key) ?? [];
    list.push({ value: row.value as string, count: row.count as number });
    values.set(key, list);
  }
  return db
    .all('SELECT key, total FROM error_tag_keys WHERE error_id = ? ORDER BY total DESC, key', errorId)
    .map((row) => {
      const key = row.key as string;
      const total = row.total as number;
      const listed = values.get(key) ?? [];
      const counted = listed.reduce((sum, { count }) => sum + count, 0);
      return { key, total, values: listed, other: total - counted };
    });
}

function valuesOf(tags: readonly TagSpread[], key: string): string[] {
  return tags.find((tag) => tag.key === key)?.values.map(({ value }) => value) ?? [];
}
