import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { AppError } from '../../../domain/app-error.ts';
import { renameDurably, syncPath } from '../../../lib/durable-files.ts';
import { sqlite, type SqliteConnection, type SqliteDriver } from '../engine/driver.ts';
import { fileAreaOf } from './file-area.ts';
import { copyNamedFiles, namedFiles } from './named-files.ts';
import { toAppError } from '../engine/sqlite-errors.ts';
import { inspectStoreFile, type StoreFileCounts } from './store-file.ts';

/** Pages per step of the copy: 4 MB, between which the process does other work. */
const PAGES_PER_STEP = 1000;
const BUSY_TIMEOUT_MS = 5000;

export interface BackupFileOptions {
  /** Secrets by name that `restore` returns; stored in clear in the backup, which has mode 0600. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Called with the pages copied so far and in total. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Writes the store's state of one instant to a new file, while reads and writes continue. Files that its rows name are
 * copied into a folder beside it. The file gets its name only when all is complete and synced. Throws `conflict` when
 * the target exists, `store_unavailable` when source or target cannot be used.
 */
export async function backupSqlite(
  sourceFile: string,
  targetFile: string,
  options: BackupFileOptions = {},
): Promise<StoreFileCounts> {
  const taken = [targetFile, fileAreaOf(targetFile)].find((path) => existsSync(path));
  if (taken !== undefined) {
    throw new AppError('conflict', `${taken} already exists: choose another name for the backup`);
  }
  inspectStoreFile(sourceFile, 'store');
  const temporary = `${targetFile}.${process.pid}.tmp`;
  const made = [temporary, fileAreaOf(temporary)];
  remove(made);
  try {
    // Created with its mode before it is filled, so that no other user can read it.
    closeSync(openSync(temporary, 'wx', 0o600));
    await copyDatabase(sourceFile, temporary, options.onProgress);
    finish(temporary, options.secrets ?? {});
    const counts = inspectCopy(temporary, sourceFile);
    await copyNamedFiles(namedFiles(temporary), fileAreaOf(sourceFile), fileAreaOf(temporary));
    await syncPath(temporary);
    // The store file last: a backup is complete when it is there.
    for (const [from, to] of [
      [fileAreaOf(temporary), fileAreaOf(targetFile)],
      [temporary, targetFile],
    ] as const) {
      if (!existsSync(from)) continue;
      try {
        await renameDurably(from, to);
      } finally {
        if (!existsSync(from)) made.push(to);
      }
    }
    return counts;
  } catch (error) {
    remove(made);
    throw toAppError(error);
  }
}

function remove(paths: readonly string[]): void {
  for (const path of paths) rmSync(path, { recursive: true, force: true });
}

/** Inspects the finished copy. Damage of the copy is damage of its source, page by page. */
function inspectCopy(copy: string, sourceFile: string): StoreFileCounts {
  try {
    return inspectStoreFile(copy, 'backup');
  } catch (error) {
    throw new AppError(
      'store_unavailable',
      `${sourceFile} is damaged, so there is no new backup: restore an older one`,
      {
        cause: error,
      },
    );
  }
}

async function copyDatabase(
  sourceFile: string,
  targetFile: string,
  onProgress: BackupFileOptions['onProgress'],
): Promise<void> {
  const source = new sqlite.DatabaseSync(sourceFile, { timeout: BUSY_TIMEOUT_MS });
  try {
    if (sqlite.backup === undefined) {
      source.prepare('VACUUM INTO ?').run(targetFile);
    } else {
      await copySnapshot(sqlite.backup, source, targetFile, onProgress);
    }
  } finally {
    source.close();
  }
}

/**
 * Copies one snapshot, held by a read transaction on the source. Otherwise the copy would restart whenever another
 * connection commits, and never end under load.
 */
async function copySnapshot(
  backup: NonNullable<SqliteDriver['backup']>,
  source: SqliteConnection,
  targetFile: string,
  onProgress: BackupFileOptions['onProgress'],
): Promise<void> {
  source.exec('BEGIN');
  source.prepare('SELECT count(*) FROM sqlite_schema').get();
  await backup(source, targetFile, {
    rate: PAGES_PER_STEP,
    progress: ({ totalPages, remainingPages }) => onProgress?.(totalPages - remainingPages, totalPages),
  });
  source.exec('COMMIT');
}

/**
 * Removes web sessions: one that is ended later must not return with the backup. Stores of an earlier schema have none.
 */
function endSessions(db: SqliteConnection): void {
  const table = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'web_sessions'").get();
  if (table !== undefined) db.exec('PRAGMA secure_delete = ON; DELETE FROM web_sessions');
}

/** Makes the copy a single file without a log, and adds the secrets. */
function finish(file: string, secrets: Readonly<Record<string, string>>): void {
  const db = new sqlite.DatabaseSync(file);
  try {
    db.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL');
    endSessions(db);
    const names = Object.entries(secrets);
    if (names.length > 0) {
      db.exec('CREATE TABLE backup_secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT');
      const insert = db.prepare('INSERT INTO backup_secrets (name, value) VALUES (?, ?)');
      for (const [name, value] of names) {
        insert.run(name, value);
      }
    }
  } finally {
    db.close();
  }
}
