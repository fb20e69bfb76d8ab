import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../../../domain/app-error.ts';
import { SqliteDatabase } from '../engine/database.ts';
import { migrate } from './migrate.ts';
import { requireFitDisk } from './store-disk.ts';
import { isBusy, toAppError } from '../engine/sqlite-errors.ts';

/** Page cache per connection in KiB. Other pages are in the system's cache. */
const CACHE_KIB = 8 * 1024;
/** Maximum attempts to open: SQLite does not wait for some short locks, such as the switch to WAL. */
const OPEN_ATTEMPTS = 20;
const ATTEMPT_DELAY_MS = 50;

export type ConnectionKind = 'reader' | 'writer';

/**
 * Opens a connection to a store file of the current schema. Where `migrateFile` allows, migrates an older file first
 * and creates a missing one. `onMigration`: see `migrate`. Throws `store_too_new`, `store_outdated`, `store_unavailable` or `invalid_configuration`:
 * another program's file, or a missing one on a network file system.
 */
export async function openDatabase(
  file: string,
  kind: ConnectionKind,
  migrateFile: boolean,
  onMigration?: (progress: string) => void,
): Promise<SqliteDatabase> {
  if (!existsSync(file)) {
    if (!migrateFile) {
      const message = `there is no store at ${file}: start \`errgate serve\` once to create it`;
      throw new AppError('store_unavailable', message);
    }
    await requireFitDisk(file);
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      return open(file, kind, migrateFile, onMigration);
    } catch (error) {
      if (!isBusy(error) || attempt === OPEN_ATTEMPTS) {
        throw toAppError(error);
      }
      await wait(ATTEMPT_DELAY_MS);
    }
  }
}

function open(
  file: string,
  kind: ConnectionKind,
  migrateFile: boolean,
  onMigration?: (progress: string) => void,
): SqliteDatabase {
  const db = new SqliteDatabase(file, { cacheKib: CACHE_KIB });
  try {
    migrate(db, migrateFile, onMigration);
    if (kind === 'reader') {
      db.connection.exec('PRAGMA query_only = 1');
    }
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
