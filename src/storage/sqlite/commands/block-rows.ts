import type { EventBlock } from '../../../domain/digest.ts';
import type { SqliteDatabase } from '../database.ts';

/** Payload of an event whose body is in a block. */
export const IN_BLOCK = new Uint8Array();

interface NewBlock {
  readonly id: number;
  readonly firstId: number;
  lastId: number;
}

/** Blocks of a batch that new events name. A block without any, because all its events are repeats, is not stored. */
export class BlockRows {
  readonly #db: SqliteDatabase;
  readonly #used = new Map<number, NewBlock>();
  #lastId: number;

  constructor(db: SqliteDatabase) {
    this.#db = db;
    this.#lastId = db.number('SELECT coalesce(max(id), 0) FROM event_blocks');
  }

  /** Adds an event to the block at `index` of the batch; returns the block's id. Event ids grow. */
  add(index: number, eventRowId: number): number {
    const block = this.#used.get(index);
    if (block !== undefined) {
      block.lastId = eventRowId;
      return block.id;
    }
    this.#lastId += 1;
    this.#used.set(index, { id: this.#lastId, firstId: eventRowId, lastId: eventRowId });
    return this.#lastId;
  }

  /** Stores the blocks that events were added to. Throws when the batch does not have one of them. */
  insert(blocks: readonly EventBlock[]): void {
    const insert = this.#db.prepare(
      'INSERT INTO event_blocks (id, project_id, first_id, last_id, events, bodies) VALUES (?, ?, ?, ?, ?, ?)',
    );
    for (const [index, { id, firstId, lastId }] of this.#used) {
      const block = blocks[index];
      if (block === undefined) throw new RangeError(`the batch has no block ${index}`);
      insert.run(id, block.projectId, firstId, lastId, block.eventIds.length, block.bodies);
    }
  }
}
