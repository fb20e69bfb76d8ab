import {
  BLOCK_WINDOW_MS,
  BlockPacker,
  MAX_BLOCK_CHARACTERS,
  MAX_PACKED_LATER_BYTES,
  MIN_BLOCK_BODIES,
} from '../../../lib/bodies/body-block.ts';
import { ownJson } from '../../events/event-body.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { Row } from '../engine/driver.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { storeTogether, type StoredBody } from './block-rows.ts';
import type { PruneWalk } from '../engine/prune-walk.ts';
import type { WaitingBodies, WaitingWindow } from '../../events/waiting-bodies.ts';
import { UNPACKED_PER_CALL } from '../../limits.ts';

/** Events packed per call, and up to a block more: some tens of milliseconds. */
const PACK_ROWS = 1000;
/** Ids looked at per call: most have their body in a block already. */
const SCAN_IDS = 10_000;

/**
 * Packs bodies that events have to themselves into blocks: few events came with them in one batch, or a version before
 * blocks stored them. Only events received before `before` (milliseconds). Walks over the events by id; bodies with too
 * few others wait, until a day after the end of theirs. Damaged bodies stay as they are. Returns false when more is
 * left.
 */
export function packEvents({ db, pruning }: WriteContext, before: number): boolean {
  const { waiting } = pruning;
  const read = !waiting.isReady && readPage(db, pruning, before);
  if (read) waiting.finish(before - BLOCK_WINDOW_MS);
  for (let packed = 0; packed < PACK_ROWS;) {
    const window = waiting.next();
    if (window === null) return read;
    packed += packWindow(db, waiting, window);
  }
  return read && !waiting.isReady;
}

/** Adds events with bodies of their own to those that wait; returns true when all were read. */
function readPage(db: SqliteDatabase, pruning: PruneWalk, before: number): boolean {
  const newest = db.number('SELECT coalesce(max(id), 0) FROM events');
  // Without any event, ids begin again.
  if (newest < pruning.packedTo) pruning.packedTo = 0;
  const first = db.get('SELECT id FROM events WHERE id > ? ORDER BY id LIMIT 1', pruning.packedTo)?.id as
    number | undefined;
  if (first === undefined) return true;
  const rows = db.all(
    `SELECT v.id, v.received_at, k.project_id FROM events v JOIN event_keys k ON k.id = v.id
      WHERE v.id >= ? AND v.id < ? AND v.block_id IS NULL AND length(v.payload) <= ${MAX_PACKED_LATER_BYTES}
      ORDER BY v.id LIMIT ?`,
    first,
    first + SCAN_IDS,
    UNPACKED_PER_CALL,
  );
  // The young ones at the end are left to a later run. Those of a clock that is far ahead would hold up all others.
  const isYoung = (row: Row): boolean =>
    (row.received_at as number) >= before && (row.received_at as number) < before + BLOCK_WINDOW_MS;
  const old = rows.slice(0, rows.findLastIndex((row) => !isYoung(row)) + 1);
  for (const row of old) {
    pruning.waiting.add(row.project_id as number, row.received_at as number, row.id as number);
  }
  if (old.length < rows.length) {
    pruning.packedTo = (old.at(-1)?.id as number | undefined) ?? pruning.packedTo;
    return true;
  }
  const end = rows.length === UNPACKED_PER_CALL ? (rows.at(-1)?.id as number) : Math.min(first + SCAN_IDS - 1, newest);
  pruning.packedTo = end;
  return end >= newest;
}

/** Packs the bodies of events that still have them to themselves; returns the number of events. */
function packWindow(
  db: SqliteDatabase,
  waiting: WaitingBodies<number>,
  { projectId, ids }: WaitingWindow<number>,
): number {
  if (ids.length < MIN_BLOCK_BODIES) return 0;
  const packer = new BlockPacker<StoredBody>(
    (project, members) => storeTogether(db, project, members),
    ({ id, receivedAt, json }) => json.length < MAX_BLOCK_CHARACTERS && waiting.add(projectId, receivedAt, id),
  );
  const find = db.prepare(
    `SELECT v.payload, v.received_at, k.project_id, lower(hex(k.event_id)) AS event_id
      FROM events v JOIN event_keys k ON k.id = v.id WHERE v.id = ? AND v.block_id IS NULL`,
  );
  for (const id of new Set(ids)) {
    const row = find.get(id);
    const json = row === undefined ? null : ownJson(row.payload as Uint8Array);
    if (row === undefined || json === null) continue;
    const [eventId, receivedAt] = [row.event_id as string, row.received_at as number];
    packer.add(row.project_id as number, { id, eventId, receivedAt, json });
  }
  packer.finish();
  return ids.length;
}
