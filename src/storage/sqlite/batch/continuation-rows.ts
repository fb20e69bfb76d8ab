import type { Continuation } from '../../../domain/ingest/continuation.ts';
import { continuations } from '../../records/kinds/grouping-kinds.ts';
import { insert } from '../../records/writes.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import { getRecord, writeRecords } from '../records/record-statements.ts';

/** Continuations that a batch reads and leaves. Lives for one batch. */
export class ContinuationRows {
  readonly #db: SqliteDatabase;
  readonly #known = new Map<string, string | undefined>();

  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  /** Returns the group hash of the mapped events that go on; reads once per group hash and batch. */
  mappedHashOf(projectId: number, groupHash: string): string | undefined {
    if (!this.#known.has(groupHash)) {
      this.#known.set(groupHash, getRecord(this.#db, continuations, { projectId, groupHash })?.mappedHash);
    }
    return this.#known.get(groupHash);
  }

  /** Stores a row where there is none. */
  keep({ projectId, groupHash, mappedHash }: Continuation): void {
    if (this.mappedHashOf(projectId, groupHash) !== undefined) return;
    writeRecords(this.#db, [insert(continuations, { projectId, groupHash, mappedHash })]);
    this.#known.set(groupHash, mappedHash);
  }
}
