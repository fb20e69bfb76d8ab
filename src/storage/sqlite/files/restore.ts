import { constants, copyFileSync, existsSync, rmSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { AppError } from '../../../domain/app-error.ts';
import { ALERTS_RESTORED } from '../../../domain/ports/stores/alert-store.ts';
import { renameDurably, syncPath } from '../../../lib/durable-files.ts';
import { sqlite } from '../engine/driver.ts';
import { fileAreaOf } from './file-area.ts';
import { copyNamedFiles, namedFiles } from './named-files.ts';
import { toAppError } from '../engine/sqlite-errors.ts';
import { requireFitDisk } from './store-disk.ts';
import { inspectStoreFile, type StoreFileCounts } from './store-file.ts';

export interface RestoreOptions {
  /** Replaces an existing store. No process may have it open. */
  readonly force?: boolean;
}

export interface RestoreResult extends StoreFileCounts {
  /** Secrets in the backup; empty when it was made without. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Number of destinations whose alerts waited in the backup; they are not sent. */
  readonly waitingAlerts: number;
  /** Number of files that the backup names and does not have. */
  readonly missingFiles: number;
}

/**
 * Creates the store file from a backup. Checks the backup first and does not change it. Replaces an existing store only
 * when the new one is complete. Throws `conflict` when the target exists and `force` is not given, as `requireFitDisk`
 * for a new one, and as `inspectStoreFile` for a bad backup.
 */
export async function restoreSqlite(
  backupFile: string,
  targetFile: string,
  options: RestoreOptions = {},
): Promise<RestoreResult> {
  const replaces = existsSync(targetFile);
  if (replaces && options.force !== true) {
    throw new AppError('conflict', `${targetFile} already exists: restoring would replace its contents`);
  }
  if (!replaces) await requireFitDisk(targetFile);
  const counts = inspectStoreFile(backupFile, 'backup');
  const temporary = `${targetFile}.${process.pid}.tmp`;
  try {
    rmSync(temporary, { force: true });
    copyFileSync(backupFile, temporary, constants.COPYFILE_FICLONE);
    await chmod(temporary, 0o600);
    const changed = changeCopy(temporary);
    // Before the store that names them; files of the replaced one stay beside them.
    const missing = await copyNamedFiles(namedFiles(temporary), fileAreaOf(backupFile), fileAreaOf(targetFile));
    if (existsSync(targetFile)) {
      dissolveLog(targetFile);
    }
    await syncPath(temporary);
    await renameDurably(temporary, targetFile);
    return { ...counts, ...changed, missingFiles: missing.length };
  } catch (error) {
    rmSync(temporary, { force: true });
    throw toAppError(error);
  }
}

type Database = InstanceType<typeof sqlite.DatabaseSync>;

/** Takes the secrets out of the copy of a backup, and marks its alerts. */
function changeCopy(file: string): Pick<RestoreResult, 'secrets' | 'waitingAlerts'> {
  const db = new sqlite.DatabaseSync(file);
  try {
    // A copy of a kept store has a write-ahead log, which would not follow the file to its place.
    db.exec('PRAGMA journal_mode = DELETE');
    return { secrets: takeSecrets(db), waitingAlerts: markAlerts(db) };
  } finally {
    db.close();
  }
}

function hasTable(db: Database, name: string): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined;
}

/** Reads the secrets from the copy and removes them from it. */
function takeSecrets(db: Database): Record<string, string> {
  if (!hasTable(db, 'backup_secrets')) return {};
  const rows = db.prepare('SELECT name, value FROM backup_secrets').all();
  db.exec('PRAGMA secure_delete = ON; DROP TABLE backup_secrets');
  return Object.fromEntries(rows.map(({ name, value }) => [name as string, value as string]));
}

/**
 * Marks alerts that waited when the backup was made: they may have been sent since. Earlier schemas have none. Returns
 * the number of destinations with waiting alerts.
 */
function markAlerts(db: Database): number {
  if (!hasTable(db, 'alert_facts')) return 0;
  const mark = "INSERT OR REPLACE INTO meta SELECT ?, coalesce(max(seq), 0) || '' FROM alert_facts";
  db.prepare(mark).run(ALERTS_RESTORED);
  // What is known of issues in external trackers is as old as the backup: the next poll takes stock.
  db.exec("DELETE FROM import_states WHERE key GLOB '[0-9]*/alert-polling'");
  const waiting =
    'SELECT count(*) AS n FROM alert_conversations WHERE pending IS NOT NULL OR first_waiting IS NOT NULL';
  return db.prepare(waiting).get()?.n as number;
}

/**
 * Empties the log of the replaced store, which would be applied to the new one. Closing the last connection writes it
 * into the old file, so that a crash leaves the old store complete.
 */
function dissolveLog(targetFile: string): void {
  try {
    const db = new sqlite.DatabaseSync(targetFile);
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
  } catch {
    // The replaced store is damaged, so its log is useless too.
  }
  rmSync(`${targetFile}-wal`, { force: true });
  rmSync(`${targetFile}-shm`, { force: true });
}
