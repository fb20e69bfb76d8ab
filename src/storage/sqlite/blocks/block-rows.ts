import type { EventBlock } from '../../../domain/ingest/digest.ts';
import { encodeBlock, type ReceivedBody } from '../../../lib/bodies/body-block.ts';
import { eventIdsIn } from '../../events/event-body.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import { bodiesOf } from '../events/event-views.ts';

/** Payload of an event whose body is in a block. */
export const IN_BLOCK = new Uint8Array();

/** Body of a stored event, with the id of its row. */
export interface StoredBody extends ReceivedBody {
  readonly id: number;
}

/** Maximum ids between the events of a block that are searched through. In a wider block each event is looked up. */
const NEAR_IDS = 2000;

/** Stored block without its bodies. */
export interface BlockRow {
  readonly id: number;
  readonly projectId: number;
  readonly firstId: number;
  readonly lastId: number;
  /** Number of its bodies. */
  readonly events: number;
  /** Size of its bodies, as stored. */
  readonly bytes: number;
}

type EventOfBlock = Omit<StoredBody, 'json'>;

interface NewBlock {
  readonly id: number;
  readonly firstId: number;
  lastId: number;
}

/** Blocks of a batch that new events name. A block without any, because all its events are repeats, is not stored. */
export class BlockRows {
  readonly #db: SqliteDatabase;
  readonly #used = new Map<number, NewBlock>();
  #nextId: number;

  constructor(db: SqliteDatabase) {
    this.#db = db;
    this.#nextId = nextBlockId(db);
  }

  /** Adds an event to the block at `index` of the batch; returns the block's id. Event ids grow. */
  add(index: number, eventRowId: number): number {
    const known = this.#used.get(index);
    if (known !== undefined) {
      known.lastId = eventRowId;
      return known.id;
    }
    const id = this.#nextId;
    this.#nextId += 1;
    this.#used.set(index, { id, firstId: eventRowId, lastId: eventRowId });
    return id;
  }

  /** Stores the blocks that events were added to. Throws when the batch does not have one of them. */
  insert(blocks: readonly EventBlock[]): void {
    for (const [index, used] of this.#used) {
      const block = blocks[index];
      if (block === undefined) throw new RangeError(`the batch has no block ${index}`);
      insertBlock(this.#db, used, block.projectId, block.eventIds.length, block.bodies);
    }
  }
}

/** Stores bodies of a project as a block, which their events name afterwards; returns the bytes of the block. */
export function storeTogether(db: SqliteDatabase, projectId: number, members: readonly StoredBody[]): number {
  const ids = members.map(({ id }) => id);
  const bodies = encodeBlock(members);
  const block = { id: nextBlockId(db), firstId: Math.min(...ids), lastId: Math.max(...ids) };
  insertBlock(db, block, projectId, members.length, bodies);
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
      block.id,
    );
  }
  return bodies.length;
}

export function findBlock(db: SqliteDatabase, id: number): BlockRow | undefined {
  const row = db.get(
    `SELECT id, project_id AS projectId, first_id AS firstId, last_id AS lastId, events, length(bodies) AS bytes
      FROM event_blocks WHERE id = ?`,
    id,
  );
  return row as BlockRow | undefined;
}

/** Returns the events that name a block. */
export function eventsOfBlock(
  db: SqliteDatabase,
  { id, projectId, firstId, lastId }: Pick<BlockRow, 'id' | 'projectId' | 'firstId' | 'lastId'>,
): EventOfBlock[] {
  const columns = 'v.id, v.received_at AS receivedAt, lower(hex(k.event_id)) AS eventId';
  const named = 'v.block_id = ? AND k.project_id = ?';
  // A block of quiet projects may span the events of a day. Damaged ones do not say their event ids.
  const eventIds = lastId - firstId < NEAR_IDS ? null : eventIdsIn(bodiesOf(db, id));
  if (eventIds === null) {
    // The cross join keeps SQLite from reading all keys of the project first.
    const all = `SELECT ${columns} FROM events v CROSS JOIN event_keys k ON k.id = v.id WHERE ${named} AND v.id BETWEEN ? AND ?`;
    return db.all(all, id, projectId, firstId, lastId) as unknown as EventOfBlock[];
  }
  const find = `SELECT ${columns} FROM event_keys k CROSS JOIN events v ON v.id = k.id WHERE ${named} AND k.event_id = ?`;
  const rows = [...new Set(eventIds)].map((eventId) => db.get(find, id, projectId, Buffer.from(eventId, 'hex')));
  return rows.filter((row) => row !== undefined) as unknown as EventOfBlock[];
}

function nextBlockId(db: SqliteDatabase): number {
  return db.number('SELECT coalesce(max(id), 0) FROM event_blocks') + 1;
}

function insertBlock(
  db: SqliteDatabase,
  { id, firstId, lastId }: NewBlock,
  projectId: number,
  events: number,
  bodies: Uint8Array,
): void {
  db.run(
    'INSERT INTO event_blocks (id, project_id, first_id, last_id, events, bodies) VALUES (?, ?, ?, ?, ?, ?)',
    id,
    projectId,
    firstId,
    lastId,
    events,
    bodies,
  );
}
