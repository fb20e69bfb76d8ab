import { existsSync } from 'node:fs';
import { sqliteFile } from './open-store.ts';
import { SqliteDatabase } from '../sqlite/engine/database.ts';
import { checkVersion } from '../sqlite/files/migrate.ts';
import { SCHEMA_VERSION } from '../sqlite/migrations/migrations.ts';
import { missingParts } from '../sqlite/records/kind-tables.ts';
import { toAppError } from '../sqlite/engine/sqlite-errors.ts';
import { storeTraits } from './store-traits.ts';

/**
 * Returns the steps that opening the store with `migrate` would take, one sentence each; empty when there are none.
 * Throws as `openStore` does.
 */
export async function pendingMigration(place: { readonly url: string; readonly dataDir: string }): Promise<string[]> {
  if (storeTraits(place.url).shared) {
    const { pendingChanges } = await import('../mongo/open-context.ts');
    return pendingChanges(place.url);
  }
  const file = sqliteFile(place.url, place.dataDir);
  if (!existsSync(file)) return [`make the store ${file}`];
  return pendingSteps(file);
}

function pendingSteps(file: string): string[] {
  try {
    const db = new SqliteDatabase(file, { cacheKib: 1024 });
    try {
      const found = checkVersion(db);
      if (found !== SCHEMA_VERSION) return [`migrate from schema version ${found} to ${SCHEMA_VERSION}`];
      return missingParts(db).map(({ step }) => step);
    } finally {
      db.close();
    }
  } catch (error) {
    throw toAppError(error);
  }
}
