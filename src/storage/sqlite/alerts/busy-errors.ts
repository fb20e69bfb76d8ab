import type { Level } from '../../../domain/events/event.ts';
import type { BusyError, ErrorState } from '../../../domain/ports/stores/alert-store.ts';
import { hourOf } from '../../fold.ts';
import { parseErrorId } from '../../errors/error-id.ts';
import { statusName } from '../../errors/error-status.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import { groupOf, membersOf } from '../errors/error-groups.ts';
import { BUSY_HOURS_BEFORE, MAX_BUSY_ERRORS, MAX_EVENT_DELAY_MS } from '../../limits.ts';
import { HOUR_MS } from '../../../domain/durations.ts';

export function busyErrors(db: SqliteDatabase, at: number, events: number): BusyError[] {
  const hour = hourOf(at);
  return db.snapshot(() =>
    db
      .all(
        `SELECT coalesce(e.merged_into, e.id) AS root, e.project_id, sum(h.count) AS events
          FROM error_hours h JOIN errors e ON e.id = h.error_id
          WHERE h.hour = ? AND e.project_id IN (SELECT id FROM projects)
          GROUP BY root HAVING events >= ? ORDER BY events DESC, root LIMIT ${MAX_BUSY_ERRORS}`,
        hour,
        events,
      )
      .map((row) => {
        const root = row.root as number;
        const members = JSON.stringify([root, ...membersOf(db, root)]);
        return {
          projectId: row.project_id as number,
          errorId: String(root),
          groupHash: groupHashOf(db, root),
          events: row.events as number,
          before: db.number(
            `SELECT coalesce(sum(count), 0) FROM error_hours
              WHERE error_id IN (SELECT DISTINCT value FROM json_each(?)) AND hour >= ? AND hour < ?`,
            members,
            hour - BUSY_HOURS_BEFORE,
            hour,
          ),
          firstSeen: db.number(
            'SELECT min(first_seen) FROM errors WHERE id IN (SELECT value FROM json_each(?))',
            members,
          ),
          importedAt: importedAt(db, members),
        };
      }),
  );
}

function groupHashOf(db: SqliteDatabase, id: number): string {
  return db.get('SELECT lower(hex(leaf)) AS leaf FROM errors WHERE id = ?', id)?.leaf as string;
}

/** Returns when the last of the errors was imported. The log of an error may have lost it, its source has not. */
function importedAt(db: SqliteDatabase, members: string): number | null {
  const row = db.get(
    `SELECT max(coalesce((SELECT min(a.at) FROM error_activity a WHERE a.error_id = i.error_id AND a.kind = 'imported'
          AND json_extract(a.details, '$.importedId') IS NULL), s.created_at)) AS at
      FROM imported_errors i JOIN import_sources s ON s.id = i.source_id
      WHERE i.error_id IN (SELECT value FROM json_each(?))`,
    members,
  );
  return (row?.at ?? null) as number | null;
}

export function errorStates(db: SqliteDatabase, projectId: number, errorIds: readonly string[]): ErrorState[] {
  const numbers = errorIds.map(parseErrorId).filter((id) => id !== null);
  return db
    .all(
      `SELECT e.id, coalesce(g.status, e.status) AS status, e.merged_into, coalesce(g.level, e.level) AS level,
        coalesce(g.user_count, e.user_count) AS users, coalesce(g.count, e.count) AS events, e.assignee_id,
        coalesce(g.first_seen, e.first_seen) AS first_seen, coalesce(g.last_seen, e.last_seen) AS last_seen
        FROM errors e LEFT JOIN error_groups g ON g.id = e.id
        WHERE e.id IN (SELECT value FROM json_each(?)) AND e.project_id = ?`,
      JSON.stringify([...new Set(numbers)]),
      projectId,
    )
    .map((row) => ({
      errorId: String(row.id),
      status: statusName(row.status as number),
      merged: row.merged_into !== null && row.merged_into !== row.id,
      level: row.level as Level,
      users: row.users as number,
      events: row.events as number,
      assigneeId: row.assignee_id as number | null,
      firstSeen: row.first_seen as number,
      lastSeen: row.last_seen as number,
    }));
}

/** Own users only: those that a tracker counted are no news. */
export function recentErrors(
  db: SqliteDatabase,
  projectId: number,
  since: number,
): { errorId: string; groupHash: string; users: number }[] {
  return db
    .all(
      `SELECT id, leaf, users FROM (
        SELECT id, lower(hex(leaf)) AS leaf, coalesce(own_users, user_count) AS users, newest_received AS newest
          FROM errors WHERE project_id = ?1 AND status IN (0, 1, 2) AND merged_into IS NULL AND last_seen >= ?3
          AND newest_received >= ?2
        UNION ALL SELECT g.id, (SELECT lower(hex(r.leaf)) FROM errors r WHERE r.id = g.id),
          min(g.user_count, sum(coalesce(m.own_users, m.user_count))), max(m.newest_received) AS newest
          FROM error_groups g JOIN errors m ON m.merged_into = g.id
          WHERE g.project_id = ?1 AND g.status IN (0, 1, 2) AND g.last_seen >= ?3
          GROUP BY g.id HAVING newest >= ?2)
      ORDER BY newest DESC, id LIMIT ${MAX_BUSY_ERRORS}`,
      ...[projectId, since, since - MAX_EVENT_DELAY_MS],
    )
    .map(({ id, leaf, users }) => ({ errorId: String(id), groupHash: leaf as string, users: users as number }));
}

/**
 * Counts stored events of the hour in which the time lies, by their receipt, and everything of later hours, by the
 * events' own time. Fewer than there were, where the bound per error has removed events of that hour.
 */
export function countEvents(
  db: SqliteDatabase,
  projectId: number,
  errorId: string,
  since: number,
  atMost: number,
): number {
  return db.snapshot(() => {
    const group = groupOf(db, projectId, errorId);
    if (group === null) return 0;
    const ids = JSON.stringify(group.members);
    const whole = db.number(
      'SELECT coalesce(sum(count), 0) FROM error_hours WHERE error_id IN (SELECT value FROM json_each(?)) AND hour > ?',
      ids,
      hourOf(since),
    );
    if (whole >= atMost) return atMost;
    const hourEnds = (hourOf(since) + 1) * HOUR_MS;
    const stored = db.number(
      `SELECT count(*) FROM (SELECT 1 FROM events WHERE error_id IN (SELECT value FROM json_each(?1))
        AND at >= ?2 AND at < ?3 AND received_at >= ?4 LIMIT ?5)`,
      ...[ids, since - MAX_EVENT_DELAY_MS, hourEnds, since, atMost - whole],
    );
    return whole + stored;
  });
}
