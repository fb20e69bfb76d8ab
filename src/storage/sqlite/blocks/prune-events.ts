import type { PruneLimits } from '../../../domain/ports/stores/maintenance-store.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { NOTHING_REMOVED, PayloadRemoval, type RemovedPayloads } from './payload-removal.ts';

/** Maximum payloads removed per call. */
const SLICE_ROWS = 2000;
/** Maximum payloads read per call, oldest first, before the rest counts as young. */
const SCAN_ROWS = 10_000;
/** Maximum event keys read per call. */
const KEY_SLICE_ROWS = 4000;
/** Milliseconds after which the walk over keys restarts, for keys received out of order. */
const KEY_WALK_MS = 7 * 86_400_000;

export interface RemovedByAge extends RemovedPayloads {
  /** Time up to which no older payload is left; null: no bound by age. */
  readonly oldestLeft: number | null;
}

/** Removes payloads by age. Their ids grow with the time of acceptance, so the oldest have the lowest ids. */
export function pruneOldEvents({ db }: WriteContext, limits: PruneLimits): RemovedByAge {
  if (limits.receivedBefore === null) {
    return { ...NOTHING_REMOVED, oldestLeft: null };
  }
  const rows = db.all(
    `SELECT id, error_id, received_at FROM (SELECT id, error_id, received_at FROM events ORDER BY id LIMIT ?)
      WHERE received_at < ? LIMIT ?`,
    SCAN_ROWS,
    limits.receivedBefore,
    SLICE_ROWS,
  );
  const removal = new PayloadRemoval(db, limits.keysReceivedBefore);
  for (const row of rows) {
    removal.remove(row.id as number, row.error_id as number);
  }
  const last = rows.length < SLICE_ROWS ? undefined : rows.at(-1);
  return { ...removal.finish(), oldestLeft: (last?.received_at as number | undefined) ?? limits.receivedBefore };
}

/**
 * Removes event keys by age, but never before their payload: reading an event needs its key. A key with a payload is
 * removed with it later, so the walk does not return to it.
 */
export function pruneKeys({ db, pruning, now }: WriteContext, before: number): { removed: number; done: boolean } {
  if (Math.abs(now() - pruning.keysSince) > KEY_WALK_MS) {
    pruning.keysAfter = 0;
    pruning.keysSince = now();
  }
  const sql = 'SELECT id, received_at FROM event_keys WHERE id > ? ORDER BY id LIMIT ?';
  const rows = db.all(sql, pruning.keysAfter, KEY_SLICE_ROWS);
  const old = rows.filter((row) => (row.received_at as number) < before);
  const remove = db.prepare('DELETE FROM event_keys WHERE id = ? AND id NOT IN (SELECT id FROM events)');
  let removed = 0;
  for (const row of old) {
    removed += Number(remove.run(row.id as number).changes);
  }
  // Without a key above it, ids may have restarted below.
  pruning.keysAfter = rows.length === 0 ? 0 : ((old.at(-1)?.id as number | undefined) ?? pruning.keysAfter);
  return { removed, done: old.length === 0 || rows.length < KEY_SLICE_ROWS };
}
