import type { PruneLimits } from '../../../domain/ports/stores/maintenance-store.ts';
import { hourOf } from '../../fold.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import { NOTHING_REMOVED, type RemovedPayloads } from '../blocks/payload-removal.ts';

/** Maximum imported bodies removed per call. */
const SLICE_ROWS = 2000;

/**
 * Removes bodies of imported events by the time of their import. Their ids grow with it, so the oldest have the lowest
 * ids.
 */
export function pruneImportedEvents(db: SqliteDatabase, importedBefore: number | null): RemovedPayloads {
  if (importedBefore === null) return NOTHING_REMOVED;
  const rows = db.all(
    `SELECT id, length(payload) AS bytes FROM (SELECT id, imported_at, payload FROM imported_events ORDER BY id LIMIT ?)
      WHERE imported_at < ?`,
    SLICE_ROWS,
    importedBefore,
  );
  const remove = db.prepare('DELETE FROM imported_events WHERE id = ?');
  for (const { id } of rows) remove.run(id as number);
  return { events: rows.length, bytes: rows.reduce((sum, { bytes }) => sum + (bytes as number), 0), keys: 0 };
}

/**
 * Removes charts with the hours of errors, and notes about events with their keys: without a key neither a mark nor a
 * repeat can be recognised. Returns the number of removed rows.
 */
export function pruneImportRows(
  db: SqliteDatabase,
  { hoursBefore, keysReceivedBefore }: PruneLimits,
  limit: number,
): number {
  const buckets = db.run(
    `DELETE FROM imported_buckets WHERE (error_id, hours, hour) IN
      (SELECT error_id, hours, hour FROM imported_buckets WHERE hour < ? LIMIT ?)`,
    hourOf(hoursBefore),
    limit,
  );
  const notes = db.run(
    `DELETE FROM known_events WHERE (project_id, event_id) IN (SELECT n.project_id, n.event_id FROM known_events n
      WHERE n.noted_at < ? AND NOT EXISTS
        (SELECT 1 FROM event_keys k WHERE k.project_id = n.project_id AND k.event_id = n.event_id) LIMIT ?)`,
    keysReceivedBefore,
    limit,
  );
  return buckets + notes;
}
