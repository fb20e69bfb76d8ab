import { payloadsOf } from '../../event-body.ts';
import type { SqliteDatabase } from '../database.ts';
import { bodiesOf } from '../views/event-views.ts';

export interface RemovedPayloads {
  readonly events: number;
  /** Removed payload bytes, as stored. */
  readonly bytes: number;
  /** Number of keys removed with them. */
  readonly keys: number;
}

export const NOTHING_REMOVED: RemovedPayloads = { events: 0, bytes: 0, keys: 0 };

/** Removes payloads in one transaction, with their keys received before `keysBefore`. */
export class PayloadRemoval {
  readonly #db: SqliteDatabase;
  readonly #keysBefore: number;
  readonly #perError = new Map<number, number>();
  readonly #blocks = new Set<number>();
  #events = 0;
  #bytes = 0;
  #keys = 0;
  /** True after a block was dissolved: its other bodies may be packed again. */
  dissolved = false;

  constructor(db: SqliteDatabase, keysBefore: number) {
    this.#db = db;
    this.#keysBefore = keysBefore;
  }

  remove(id: number, errorId: number): void {
    const row = this.#db.get('SELECT length(payload) AS bytes, block_id FROM events WHERE id = ?', id);
    if (row === undefined) return;
    this.#db.run('DELETE FROM events WHERE id = ?', id);
    if (row.block_id !== null) this.#blocks.add(row.block_id as number);
    this.#events += 1;
    this.#bytes += row.bytes as number;
    this.#keys += this.#db.run('DELETE FROM event_keys WHERE id = ? AND received_at < ?', id, this.#keysBefore);
    this.#perError.set(errorId, (this.#perError.get(errorId) ?? 0) + 1);
  }

  /**
   * Subtracts the removed payloads from the errors' counts, and removes the blocks that no event names any more; returns
   * the totals. `unpack`: also dissolves blocks of which less than half is left.
   */
  finish(unpack = false): RemovedPayloads {
    for (const [errorId, removed] of this.#perError) {
      this.#db.run('UPDATE errors SET stored = stored - ? WHERE id = ?', removed, errorId);
    }
    this.#perError.clear();
    for (const id of this.#blocks) {
      const { freed, dissolved } = removeBlock(this.#db, id, unpack);
      this.#bytes += freed;
      this.dissolved ||= dissolved;
    }
    this.#blocks.clear();
    return { events: this.#events, bytes: this.#bytes, keys: this.#keys };
  }
}

/**
 * Removes a block without events, and with `unpack` one of which less than half is left, unless it is damaged; returns
 * the freed bytes.
 */
function removeBlock(db: SqliteDatabase, blockId: number, unpack: boolean): { freed: number; dissolved: boolean } {
  const block = db.get('SELECT project_id, first_id, last_id, events FROM event_blocks WHERE id = ?', blockId);
  if (block === undefined) return STAYS;
  const left = db.all(
    `SELECT v.id, lower(hex(k.event_id)) AS event_id FROM events v JOIN event_keys k ON k.id = v.id
      WHERE v.id BETWEEN ? AND ? AND v.block_id = ? AND k.project_id = ?`,
    block.first_id as number,
    block.last_id as number,
    blockId,
    block.project_id as number,
  );
  if (left.length > 0 && !(unpack && left.length * 2 < (block.events as number))) return STAYS;
  const bodies = bodiesOf(db, blockId);
  const ids = left.map((row) => row.event_id as string);
  const payloads = ids.length === 0 ? [] : payloadsOf(bodies, ids);
  if (payloads === null) return STAYS;
  let freed = bodies.length;
  for (const [index, payload] of payloads.entries()) {
    db.run('UPDATE events SET payload = ?, block_id = NULL WHERE id = ?', payload, left[index]?.id as number);
    freed -= payload.length;
  }
  db.run('DELETE FROM event_blocks WHERE id = ?', blockId);
  return { freed, dissolved: payloads.length > 0 };
}

const STAYS = { freed: 0, dissolved: false };
