import { eventIdIn } from '../../search/search-text.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import { findByExternalId } from './import-views.ts';

/** Returns the numbers of displayed errors that a whole search names: by a former id, or by an event of theirs. */
export function namedErrors(db: SqliteDatabase, projectId: number, search: string | null): number[] {
  const text = (search ?? '').trim();
  if (text === '') return [];
  const former = findByExternalId(db, projectId, text).map(({ errorId }) => Number(errorId));
  const eventId = eventIdIn(text);
  return eventId === null ? former : [...former, ...errorsOfEvent(db, projectId, Buffer.from(eventId, 'hex'))];
}

function errorsOfEvent(db: SqliteDatabase, projectId: number, eventId: Buffer): number[] {
  const rows = db.all(
    `SELECT coalesce(e.merged_into, e.id) AS id FROM (
        SELECT v.error_id FROM event_keys k JOIN events v ON v.id = k.id WHERE k.project_id = ?1 AND k.event_id = ?2
        UNION ALL SELECT error_id FROM imported_events WHERE project_id = ?1 AND event_id = ?2
      ) f JOIN errors e ON e.id = f.error_id`,
    projectId,
    eventId,
  );
  return rows.map((row) => row.id as number);
}
