import { MAX_TAG_KEYS, maxValuesOf } from '../../search/tag-bounds.ts';
import type { SqliteDatabase } from '../engine/database.ts';

/** Adds a batch's tags to an error. The first keys and values are counted, up to the bounds. */
export function addTags(
  db: SqliteDatabase,
  errorId: number,
  tags: ReadonlyMap<string, ReadonlyMap<string, number>>,
): void {
  const findKey = db.prepareForColumns('SELECT value_count FROM error_tag_keys WHERE error_id = ? AND key = ?');
  const addToKey = db.prepareForColumns(
    `INSERT INTO error_tag_keys (error_id, key, total, value_count) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET total = total + excluded.total, value_count = value_count + excluded.value_count`,
  );
  let keyCount: number | undefined;
  for (const [key, values] of tags) {
    const row = findKey.get(errorId, key);
    if (row === undefined) {
      keyCount ??= db.number('SELECT count(*) FROM error_tag_keys WHERE error_id = ?', errorId);
      if (keyCount >= MAX_TAG_KEYS) {
        continue;
      }
      keyCount += 1;
    }
    const before = row === undefined ? 0 : (row.value_count as number);
    const added = addValues(db, errorId, key, values, before);
    let total = 0;
    for (const count of values.values()) {
      total += count;
    }
    addToKey.run(errorId, key, total, added);
  }
}

/** Counts values up to the bound; returns the number of new ones. */
function addValues(
  db: SqliteDatabase,
  errorId: number,
  key: string,
  values: ReadonlyMap<string, number>,
  before: number,
): number {
  const update = db.prepareForColumns(
    'UPDATE error_tags SET count = count + ? WHERE error_id = ? AND key = ? AND value = ?',
  );
  // Two different values may be equal in the database (a lone surrogate becomes U+FFFD).
  const insert = db.prepareForColumns(
    `INSERT INTO error_tags (error_id, key, value, count) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET count = count + excluded.count`,
  );
  const room = maxValuesOf(key) - before;
  // For more values than stored rows, reading the rows is cheaper than updates that match nothing.
  const known = values.size > before ? knownValues(db, errorId, key, before) : null;
  let added = 0;
  for (const [value, count] of values) {
    const updated = known === null || known.has(value) ? Number(update.run(count, errorId, key, value).changes) : 0;
    if (updated === 0 && added < room) {
      insert.run(errorId, key, value, count);
      added += 1;
    }
  }
  return added;
}

function knownValues(db: SqliteDatabase, errorId: number, key: string, before: number): Set<string> {
  const rows = before === 0 ? [] : db.all('SELECT value FROM error_tags WHERE error_id = ? AND key = ?', errorId, key);
  return new Set(rows.map((row) => row.value as string));
}
