import type { DigestedEvent } from '../../../domain/ingest/digest.ts';
import { EVENT_ID } from '../../events/event-body.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { knownUntil } from './import-sources.ts';

/** Records events that the tracker has, each once. Ids of unknown events wait for their digest. */
export function markKnownThere(
  { db }: WriteContext,
  projectId: number,
  eventIds: readonly string[],
  now: number,
): void {
  if (db.get('SELECT 1 FROM projects WHERE id = ?', projectId) === undefined) return;
  const until = knownUntil(db, projectId);
  for (const eventId of new Set(eventIds)) {
    if (EVENT_ID.test(eventId)) mark(db, projectId, Buffer.from(eventId, 'hex'), until, now);
  }
}

function mark(db: SqliteDatabase, projectId: number, eventId: Buffer, until: number | null, now: number): void {
  const noted = db.get(
    'SELECT error_id, known, received_at FROM known_events WHERE project_id = ? AND event_id = ?',
    projectId,
    eventId,
  );
  if (noted?.known === 1) return;
  const found =
    noted ??
    db.get(
      `SELECT v.error_id, k.received_at FROM event_keys k JOIN events v ON v.id = k.id
        WHERE k.project_id = ? AND k.event_id = ?`,
      projectId,
      eventId,
    );
  const errorId = (found?.error_id ?? null) as number | null;
  const receivedAt = (found?.received_at ?? null) as number | null;
  db.run(
    `INSERT OR REPLACE INTO known_events (project_id, event_id, error_id, known, received_at, noted_at)
      VALUES (?, ?, ?, 1, ?, ?)`,
    projectId,
    eventId,
    errorId,
    receivedAt,
    now,
  );
  if (errorId !== null && (until === null || (receivedAt ?? 0) > until)) {
    db.run('UPDATE errors SET known_marked = known_marked + 1 WHERE id = ?', errorId);
  }
}

/** What a project's import needs of a batch: both members are unset without one. */
export interface KnownThereRules {
  /** The tracker gets every event received until then; null: no. */
  readonly until: number | null;
  /** True: marks wait for their events. */
  readonly waiting: boolean;
}

export function rulesOf(db: SqliteDatabase, projectId: number): KnownThereRules | null {
  const row = db.get(
    `SELECT (SELECT max(known_until) FROM import_sources s WHERE s.project_id = p.id) AS until,
      EXISTS (SELECT 1 FROM known_events k WHERE k.project_id = p.id AND k.error_id IS NULL) AS waiting
      FROM projects p WHERE p.id = ?`,
    projectId,
  );
  return row === undefined ? null : { until: row.until as number | null, waiting: row.waiting === 1 };
}

/** Counts those of a batch's new events of a project that its tracker has. `idOf`: the error of a group hash. */
export function countKnownThere(
  db: SqliteDatabase,
  { until, waiting }: KnownThereRules,
  events: readonly DigestedEvent[],
  idOf: (groupHash: string) => number,
): void {
  const marks = waiting ? waitingMarks(db, events) : new Set<string>();
  const settle = db.prepare(
    'UPDATE known_events SET error_id = ?, received_at = ? WHERE project_id = ? AND event_id = ?',
  );
  const counted = new Map<number, { both: number; marked: number }>();
  for (const { projectId, eventId, groupHash, receivedAt } of events) {
    const both = until !== null && receivedAt <= until;
    const marked = marks.has(eventId);
    if (!both && !marked) continue;
    const errorId = idOf(groupHash);
    if (marked) settle.run(errorId, receivedAt, projectId, Buffer.from(eventId, 'hex'));
    const sum = counted.get(errorId) ?? { both: 0, marked: 0 };
    counted.set(errorId, sum);
    if (both) sum.both += 1;
    else sum.marked += 1;
  }
  const add = db.prepare('UPDATE errors SET known_both = known_both + ?, known_marked = known_marked + ? WHERE id = ?');
  for (const [errorId, { both, marked }] of counted) add.run(both, marked, errorId);
}

function waitingMarks(db: SqliteDatabase, events: readonly DigestedEvent[]): Set<string> {
  const rows = db.all(
    `SELECT lower(hex(event_id)) AS id FROM known_events WHERE project_id = ? AND error_id IS NULL
      AND event_id IN (SELECT unhex(value) FROM json_each(?))`,
    events[0]?.projectId ?? 0,
    JSON.stringify(events.map(({ eventId }) => eventId)),
  );
  return new Set(rows.map((row) => row.id as string));
}

/**
 * Notes the error of an event whose payload is removed, so that a later mark counts. `id`: of its key, which stays when it
 * was not received before `keysBefore`.
 */
export function noteRemoved(db: SqliteDatabase, id: number, errorId: number, keysBefore: number): void {
  db.run(
    `INSERT INTO known_events (project_id, event_id, error_id, known, received_at, noted_at)
      SELECT project_id, event_id, ?, 0, received_at, received_at FROM event_keys WHERE id = ? AND received_at >= ?
      ON CONFLICT DO NOTHING`,
    errorId,
    id,
    keysBefore,
  );
}
