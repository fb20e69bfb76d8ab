import type { SqliteDatabase } from '../engine/database.ts';

/** Notes errors whose rank is out of date, for the next run of `rankErrors`. Members of merged errors mean their root. */
export function queueRank(db: SqliteDatabase, ids: readonly number[]): void {
  const only = ids.length === 1 ? ids[0] : undefined;
  if (only !== undefined) db.run('INSERT OR IGNORE INTO rank_queue (error_id) VALUES (?)', only);
  else if (ids.length > 0)
    db.run('INSERT OR IGNORE INTO rank_queue (error_id) SELECT value FROM json_each(?)', JSON.stringify(ids));
}

/** Notes an error whose terms of searches are to be taken from a stored event, if it has none. Its rank follows. */
export function queueTerms(db: SqliteDatabase, id: number): void {
  db.run('INSERT INTO rank_queue (error_id, terms) VALUES (?, 1) ON CONFLICT DO UPDATE SET terms = 1', id);
}
