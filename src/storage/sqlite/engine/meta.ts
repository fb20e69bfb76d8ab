import type { SqliteDatabase } from './database.ts';
import { orNull } from './rows.ts';

export function getMeta(db: SqliteDatabase, key: string): string | null {
  return orNull(db.get('SELECT value FROM meta WHERE key = ?', key), (row) => row.value as string);
}
