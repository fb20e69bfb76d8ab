import type { SqliteDatabase } from '../database.ts';

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
  #events = 0;
  #bytes = 0;
  #keys = 0;

  constructor(db: SqliteDatabase, keysBefore: number) {
    this.#db = db;
    this.#keysBefore = keysBefore;
  }

  remove(id: number, errorId: number): void {
    const bytes = this.#db.number('SELECT length(payload) FROM events WHERE id = ?', id);
    if (this.#db.run('DELETE FROM events WHERE id = ?', id) === 0) {
      return;
    }
    this.#events += 1;
    this.#bytes += bytes;
    this.#keys += this.#db.run('DELETE FROM event_keys WHERE id = ? AND received_at < ?', id, this.#keysBefore);
    this.#perError.set(errorId, (this.#perError.get(errorId) ?? 0) + 1);
  }

  /** Subtracts the removed payloads from the errors' counts; returns the totals. */
  finish(): RemovedPayloads {
    for (const [errorId, removed] of this.#perError) {
      this.#db.run('UPDATE errors SET stored = stored - ? WHERE id = ?', removed, errorId);
    }
    this.#perError.clear();
    return { events: this.#events, bytes: this.#bytes, keys: this.#keys };
  }
}
