import type { DigestedEvent } from '../../../domain/ingest/digest.ts';
import type { SqliteDatabase } from '../engine/database.ts';

/** Group hashes whose events are dropped. Lives for one batch. */
export class Discards {
  readonly #db: SqliteDatabase;
  readonly #known = new Map<string, boolean>();
  #any: boolean | undefined;

  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  /** True when an event of no known error belongs to a discarded group, also under earlier rules or as it was sent. */
  has(event: DigestedEvent): boolean {
    this.#any ??= this.#db.get('SELECT 1 FROM discarded_hashes LIMIT 1') !== undefined;
    const { formerGroupHashes = [], sentGroupHashes = [] } = event;
    return this.#any && [event, ...formerGroupHashes, ...sentGroupHashes].some(({ groupHash }) => this.#is(groupHash));
  }

  #is(groupHash: string): boolean {
    let found = this.#known.get(groupHash);
    if (found === undefined) {
      const sql = 'SELECT 1 FROM discarded_hashes WHERE group_hash = ?';
      found = this.#db.get(sql, Buffer.from(groupHash, 'hex')) !== undefined;
      this.#known.set(groupHash, found);
    }
    return found;
  }
}
