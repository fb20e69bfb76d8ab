import type { SqliteDatabase } from '../engine/database.ts';
import { eventsOfBlock, findBlock } from './block-rows.ts';
import { noteRemoved } from '../imports/known-events.ts';

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
  /** Errors of projects with imported history, by number. */
  readonly #importing = new Map<number, boolean>();
  #events = 0;
  #bytes = 0;
  #keys = 0;

  constructor(db: SqliteDatabase, keysBefore: number) {
    this.#db = db;
    this.#keysBefore = keysBefore;
  }

  remove(id: number, errorId: number): void {
    const row = this.#db.get('SELECT length(payload) AS bytes, block_id FROM events WHERE id = ?', id);
    if (row === undefined) return;
    this.#db.run('DELETE FROM events WHERE id = ?', id);
    if (this.#isImporting(errorId)) noteRemoved(this.#db, id, errorId, this.#keysBefore);
    if (row.block_id !== null) this.#blocks.add(row.block_id as number);
    this.#events += 1;
    this.#bytes += row.bytes as number;
    this.#keys += this.#db.run('DELETE FROM event_keys WHERE id = ? AND received_at < ?', id, this.#keysBefore);
    this.#perError.set(errorId, (this.#perError.get(errorId) ?? 0) + 1);
  }

  #isImporting(errorId: number): boolean {
    let importing = this.#importing.get(errorId);
    if (importing === undefined) {
      const sql = 'SELECT 1 FROM errors e JOIN import_sources s ON s.project_id = e.project_id WHERE e.id = ?';
      importing = this.#db.get(sql, errorId) !== undefined;
      this.#importing.set(errorId, importing);
    }
    return importing;
  }

  /** Subtracts the payloads removed so far from the errors' counts. */
  countDown(): void {
    for (const [errorId, removed] of this.#perError) {
      this.#db.run('UPDATE errors SET stored = stored - ? WHERE id = ?', removed, errorId);
    }
    this.#perError.clear();
  }

  /**
   * Updates the errors' counts, and removes the blocks that no event names any more; returns the totals. `shrunk` gets
   * the ids of blocks that others still name.
   */
  finish(shrunk?: Set<number>): RemovedPayloads {
    this.countDown();
    for (const id of this.#blocks) {
      const freed = removeEmpty(this.#db, id);
      if (freed === null) shrunk?.add(id);
      else this.#bytes += freed;
    }
    this.#blocks.clear();
    return { events: this.#events, bytes: this.#bytes, keys: this.#keys };
  }
}

/** Removes a block that no event names; returns the freed bytes, null when it stays. */
function removeEmpty(db: SqliteDatabase, id: number): number | null {
  const block = findBlock(db, id);
  if (block === undefined) return 0;
  // Events are mostly removed in the order of their ids, so the last one usually answers for all.
  const last = db.get('SELECT 1 FROM events WHERE id = ? AND block_id = ?', block.lastId, id);
  if (last !== undefined || eventsOfBlock(db, block).length > 0) return null;
  db.run('DELETE FROM event_blocks WHERE id = ?', id);
  return block.bytes;
}
