import { statSync } from 'node:fs';
import type { Outcome, OutcomeCount } from '../../../domain/ingest/digest.ts';
import type { StoreSize, StoreStats } from '../../../domain/ports/stores/maintenance-store.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import { SCHEMA_VERSION } from '../migrations/migrations.ts';
import { HOUR_MS } from '../../../domain/durations.ts';

export function listOutcomes(db: SqliteDatabase, projectId: number, since: number, until: number): OutcomeCount[] {
  const sql = `SELECT * FROM outcomes WHERE project_id = ? AND hour >= ? AND hour < ?
    ORDER BY hour, key_id, category, outcome, reason`;
  return db.all(sql, projectId, Math.ceil(since / HOUR_MS), Math.ceil(until / HOUR_MS)).map((row) => ({
    projectId,
    keyId: row.key_id as number,
    category: row.category as string,
    outcome: row.outcome as Outcome,
    reason: row.reason as string,
    at: (row.hour as number) * HOUR_MS,
    quantity: row.quantity as number,
  }));
}

export function lastBatch(db: SqliteDatabase, journalId: string): number {
  return db.number('SELECT n FROM journals WHERE journal_id = ?', Buffer.from(journalId, 'hex'));
}

export function ping(db: SqliteDatabase): void {
  db.number('SELECT 1 FROM meta LIMIT 1');
}

export function stats(db: SqliteDatabase): StoreStats {
  return db.snapshot(() => ({
    schemaVersion: db.number('PRAGMA user_version'),
    knownSchemaVersion: SCHEMA_VERSION,
    errors: db.number('SELECT count(*) FROM errors'),
    // Summed from an index of the errors: counting all events would be slow.
    events: db.number('SELECT sum(stored) FROM errors'),
    projects: db.number('SELECT count(*) FROM projects'),
    users: db.number('SELECT count(*) FROM users'),
    bytes: sizeOf(db.file) + sizeOf(`${db.file}-wal`) + sizeOf(`${db.file}-shm`),
  }));
}

/** Returns the size of used pages. Free ones return to the file system soon, and the log is truncated automatically. */
export function size(db: SqliteDatabase): StoreSize {
  return db.snapshot(() => {
    const pages = db.number('PRAGMA page_count') - db.number('PRAGMA freelist_count');
    return { used: pages * db.number('PRAGMA page_size'), falls: 'at_once' };
  });
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
