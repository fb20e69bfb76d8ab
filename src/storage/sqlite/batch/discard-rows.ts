import type { DigestedEvent } from '../../../domain/ingest/digest.ts';
import { dropOf } from '../../errors/dropped-event.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { ContinuationRows } from './continuation-rows.ts';

/** Group hashes whose events are dropped. Lives for one batch. */
export class Discards {
  readonly #db: SqliteDatabase;
  readonly #continuations: ContinuationRows;
  readonly #known = new Map<string, boolean>();
  #any: boolean | undefined;

  constructor(db: SqliteDatabase, continuations: ContinuationRows) {
    this.#db = db;
    this.#continuations = continuations;
  }

  /** True when an event of no known error is dropped. A mapped one may be the first that goes on with what was sent. */
  drops(event: DigestedEvent): boolean {
    this.#any ??= this.#db.get('SELECT 1 FROM discarded_hashes LIMIT 1') !== undefined;
    if (!this.#any) return false;
    const { projectId, groupHash: mappedHash } = event;
    const drop = dropOf(event, {
      isDropped: (groupHash) => this.#is(groupHash),
      continuedBy: (sent) => this.#continuations.mappedHashOf(projectId, sent),
    });
    if (typeof drop?.continues === 'string') {
      this.#continuations.keep({ projectId, groupHash: drop.continues, mappedHash });
    }
    return drop !== null;
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
