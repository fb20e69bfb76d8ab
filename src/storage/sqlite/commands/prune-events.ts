import type { PruneLimits } from '../../../domain/ports/maintenance-store.ts';
import type { WriteContext } from '../write-context.ts';
import { NOTHING_REMOVED, PayloadRemoval, type RemovedPayloads } from './payload-removal.ts';

/** Payloads that one call removes at most. */
const SLICE_ROWS = 2000;
/** Payloads that one call looks at, oldest first, before it holds that the rest is young. */
const SCAN_ROWS = 10_000;
/** Event keys that one call looks at. */
const KEY_SLICE_ROWS = 4000;
/** The walk over keys begins anew after this long, for keys whose time of receipt came out of order. Milliseconds. */
const KEY_WALK_MS = 7 * 86_400_000;

/** Payloads by age. Their ids grow with the time of taking, so the oldest stand at the low end. */
export function pruneOldEvents({ db }: WriteContext, limits: PruneLimits): RemovedPayloads {
  if (limits.receivedBefore === null) {
    return NOTHING_REMOVED;
  }
  const rows = db.all(
    `SELECT id, error_id FROM (SELECT id, error_id, received_at FROM events ORDER BY id LIMIT ?)
      WHERE received_at < ? LIMIT ?`,
    SCAN_ROWS,
    limits.receivedBefore,
    SLICE_ROWS,
  );
  const removal = new PayloadRemoval(db, limits.keysReceivedBefore);
  for (const row of rows) {
    removal.remove(row.id as number, row.error_id as number);
  }
  return removal.finish();
}

/**
 * Event keys by age, but never before their payload: reading an event goes through its key. One whose payload
 * stays goes with it later, so the walk need not come back to it.
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
  // Without a key above it, ids may have begun anew below.
  pruning.keysAfter = rows.length === 0 ? 0 : ((old.at(-1)?.id as number | undefined) ?? pruning.keysAfter);
  return { removed, done: old.length === 0 || rows.length < KEY_SLICE_ROWS };
}
