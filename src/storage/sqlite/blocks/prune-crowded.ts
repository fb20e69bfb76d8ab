import type { PruneLimits } from '../../../domain/ports/stores/maintenance-store.ts';
import { capShares, LeastRanks, rankOf } from '../../events/payload-cap.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { Row } from '../engine/driver.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { NOTHING_REMOVED, PayloadRemoval, type RemovedPayloads } from './payload-removal.ts';
import type { CrowdedWalk } from '../engine/prune-walk.ts';
import { packSparseBlocks } from './sparse-blocks.ts';
import { MAX_SHRUNK_BLOCKS } from '../../limits.ts';

/** Maximum payloads read, and removed, per call: some tens of milliseconds. */
const WINDOW_ROWS = 2000;

export interface CrowdedProgress extends RemovedPayloads {
  /** True when more calls are needed. */
  readonly busy: boolean;
}

/**
 * Removes a window of the payloads of crowded errors, those with most first. Walks each error twice in time order, so
 * that the cost grows linearly with the removed payloads. Packs the rests of blocks at the end, because several errors
 * may have bodies in one block.
 */
export function pruneCrowded(context: WriteContext, limits: PruneLimits): CrowdedProgress {
  const { db, pruning } = context;
  const { maxEventsPerError } = limits;
  if (maxEventsPerError === null) {
    return { ...NOTHING_REMOVED, busy: false };
  }
  if (pruning.shrunk.size > MAX_SHRUNK_BLOCKS) {
    return { ...NOTHING_REMOVED, bytes: packSparseBlocks(context), busy: true };
  }
  const removal = new PayloadRemoval(db, limits.keysReceivedBefore);
  for (let left = WINDOW_ROWS; left > 0;) {
    pruning.crowded ??= startWalk(db, maxEventsPerError);
    if (pruning.crowded === null) {
      const removed = removal.finish(pruning.shrunk);
      const freed = packSparseBlocks(context);
      return { ...removed, bytes: removed.bytes + freed, busy: pruning.shrunk.size > 0 };
    }
    const read = step(db, pruning.crowded, removal, left);
    if (read < left && !nextWalk(db, pruning.crowded)) {
      // Updates its count before the next most crowded error is selected.
      removal.countDown();
      pruning.crowded = null;
    }
    left -= Math.max(read, 1);
  }
  return { ...removal.finish(pruning.shrunk), busy: true };
}

function startWalk(db: SqliteDatabase, cap: number): CrowdedWalk | null {
  const { most, newest, spread } = capShares(cap);
  const error = db.get('SELECT id FROM errors WHERE stored > ? ORDER BY stored DESC LIMIT 1', most);
  if (error === undefined) {
    return null;
  }
  const errorId = error.id as number;
  const oldest = db.get('SELECT at, id FROM events WHERE error_id = ? ORDER BY at, id LIMIT 1', errorId);
  const end = db.get(
    'SELECT at, id FROM events WHERE error_id = ? ORDER BY at DESC, id DESC LIMIT 1 OFFSET ?',
    errorId,
    newest - 1,
  );
  const from = oldest === undefined ? ([0, 0] as const) : placeOf(oldest);
  // With fewer payloads than the newest share the walk ends at once, and `nextWalk` recounts them.
  const to = end === undefined ? from : placeOf(end);
  return { errorId, after: from, oldest: from, end: to, ranks: new LeastRanks(spread), limit: null };
}

/** Returns the number of payloads read; fewer than `most` at the end of the walk. */
function step(db: SqliteDatabase, walk: CrowdedWalk, removal: PayloadRemoval, most: number): number {
  const rows = db.all(
    `SELECT v.id, v.at, k.event_id FROM events v JOIN event_keys k ON k.id = v.id
      WHERE v.error_id = ? AND (v.at, v.id) > (?, ?) AND (v.at, v.id) < (?, ?) ORDER BY v.at, v.id LIMIT ?`,
    walk.errorId,
    ...walk.after,
    ...walk.end,
    most,
  );
  for (const row of rows) {
    const rank = rankOf(row.event_id as Uint8Array);
    if (walk.limit === null) {
      walk.ranks.add(rank);
    } else if (rank > walk.limit) {
      removal.remove(row.id as number, walk.errorId);
    }
  }
  const last = rows.at(-1);
  walk.after = last === undefined ? walk.after : placeOf(last);
  return rows.length;
}

/** Switches from ranking to removing; false when nothing is left to remove. */
function nextWalk(db: SqliteDatabase, walk: CrowdedWalk): boolean {
  if (walk.limit === null && walk.ranks.limit() !== Infinity) {
    walk.limit = walk.ranks.limit();
    walk.after = walk.oldest;
    return true;
  }
  if (walk.limit === null) {
    // The stored count was too high: recounts the payloads.
    db.run(
      'UPDATE errors SET stored = (SELECT count(*) FROM events WHERE error_id = errors.id) WHERE id = ?',
      walk.errorId,
    );
  }
  return false;
}

function placeOf(row: Row): readonly [number, number] {
  return [row.at as number, row.id as number];
}
