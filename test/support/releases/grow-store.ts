import { join } from 'node:path';
import { sqlite } from '../../../src/storage/sqlite/engine/driver.ts';

/** Project of the added rows, which does not exist, so that no answer has them. */
const NOWHERE = 999_999;

interface Column {
  readonly name: string;
  readonly type: string;
  readonly pk: number;
}

/**
 * Adds rows to the file of an embedded store of any release, so that its migration takes long: errors with many users,
 * a hundredth as many as events.
 */
export function growStore(dataDir: string, events: number): void {
  const db = new sqlite.DatabaseSync(join(dataDir, 'errgate.db'));
  try {
    db.exec('BEGIN');
    const errors = Math.ceil(events / 100);
    db.exec(copies(db, 'errors', errors, { project_id: String(NOWHERE), leaf: 'randomblob(16)', user_count: 'n' }));
    const first = `(SELECT max(id) - ${errors} FROM errors)`;
    const ofError = `${first} + 1 + n % ${errors}`;
    db.exec(copies(db, 'events', events, { error_id: ofError }));
    const keys = { project_id: String(NOWHERE), event_id: 'randomblob(16)' };
    db.exec(copies(db, 'event_keys', events, keys));
    db.exec('COMMIT');
  } finally {
    db.close();
  }
}

/** Copies a row, with other values of some columns; `n` is the number of the copy. */
function copies(
  db: InstanceType<typeof sqlite.DatabaseSync>,
  table: string,
  count: number,
  changed: Readonly<Record<string, string>>,
): string {
  const columns = db.prepare(`PRAGMA table_info(${table})`).all() as unknown as Column[];
  const names = columns.filter(({ name, pk }) => pk === 0 || changed[name] !== undefined).map(({ name }) => name);
  const values = names.map((name) => changed[name] ?? `row.${name}`);
  return `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
    INSERT INTO ${table} (${names.join(', ')})
    SELECT ${values.join(', ')} FROM numbers, (SELECT * FROM ${table} ORDER BY rowid LIMIT 1) AS row`;
}
