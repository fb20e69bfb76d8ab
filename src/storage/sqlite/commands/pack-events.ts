import {
  BlockPacker,
  encodeBlock,
  MAX_BLOCK_CHARACTERS,
  MAX_PACKED_LATER_BYTES,
  type Body,
} from '../../../lib/body-block.ts';
import { ownJson } from '../../event-body.ts';
import type { SqliteDatabase } from '../database.ts';
import type { Row } from '../driver.ts';
import type { WriteContext } from '../write-context.ts';
import { IN_BLOCK } from './block-rows.ts';

/** Maximum events packed per call: some tens of milliseconds. */
const PACK_ROWS = 1000;
/** Ids looked at per call: most have their body in a block already. */
const SCAN_IDS = 10_000;

interface StoredBody extends Body {
  readonly id: number;
}

/**
 * Packs bodies that events have to themselves into blocks, oldest first: few events came with them in one batch, or a
 * version before blocks stored them. Only events received before `before` (milliseconds). Damaged bodies stay as they
 * are. Returns false when more is left.
 */
export function packEvents({ db, pruning }: WriteContext, before: number): boolean {
  const newest = db.number('SELECT coalesce(max(id), 0) FROM events');
  // Without any event, ids begin again.
  if (newest < pruning.packedTo) pruning.packedTo = 0;
  const first = db.get('SELECT id FROM events WHERE id > ? ORDER BY id LIMIT 1', pruning.packedTo)?.id as
    number | undefined;
  if (first === undefined) return true;
  const rows = db.all(
    `SELECT v.id, v.payload, v.received_at, k.project_id, lower(hex(k.event_id)) AS event_id
      FROM events v JOIN event_keys k ON k.id = v.id
      WHERE v.id >= ? AND v.id < ? AND v.block_id IS NULL AND length(v.payload) <= ${MAX_PACKED_LATER_BYTES}
      ORDER BY v.id LIMIT ?`,
    first,
    first + SCAN_IDS,
    PACK_ROWS,
  );
  const isYoung = (row: Row | undefined): boolean => (row?.received_at as number) >= before;
  const left = rows.filter(isYoung).map((row) => row.id as number);
  const packer = new BlockPacker<StoredBody>(
    (projectId, members) => addBlock(db, projectId, members),
    ({ id, json }) => json.length < MAX_BLOCK_CHARACTERS && left.push(id),
  );
  for (const row of rows.filter((each) => !isYoung(each))) {
    const json = ownJson(row.payload as Uint8Array);
    if (json === null) continue;
    packer.add(row.project_id as number, { id: row.id as number, eventId: row.event_id as string, json });
  }
  packer.finish();
  const end = rows.length === PACK_ROWS ? (rows.at(-1)?.id as number) : Math.min(first + SCAN_IDS - 1, newest);
  const done = end >= newest || isYoung(rows.at(-1));
  // Young bodies, and those that found too few others, wait for the next run.
  pruning.packedTo = done && left.length > 0 ? Math.min(...left) - 1 : end;
  return done;
}

function addBlock(db: SqliteDatabase, projectId: number, members: readonly StoredBody[]): void {
  const blockId = db.number('SELECT coalesce(max(id), 0) FROM event_blocks') + 1;
  const ids = members.map(({ id }) => id);
  db.run(
    'INSERT INTO event_blocks (id, project_id, first_id, last_id, events, bodies) VALUES (?, ?, ?, ?, ?, ?)',
    blockId,
    projectId,
    Math.min(...ids),
    Math.max(...ids),
    members.length,
    encodeBlock(members),
  );
  // Rows that only become shorter leave half-empty pages behind. Those that are removed and inserted again do not.
  const columns = 'id, error_id, at, received_at';
  const rows = ids.map((id) => db.get(`SELECT ${columns} FROM events WHERE id = ?`, id));
  for (const id of ids) db.run('DELETE FROM events WHERE id = ?', id);
  const insert = db.prepare(`INSERT INTO events (${columns}, payload, block_id) VALUES (?, ?, ?, ?, ?, ?)`);
  for (const row of rows) {
    if (row === undefined) continue;
    insert.run(
      row.id as number,
      row.error_id as number,
      row.at as number,
      row.received_at as number,
      IN_BLOCK,
      blockId,
    );
  }
}
