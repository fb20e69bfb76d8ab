import { closeSync, existsSync, openSync } from 'node:fs';
import { sqlite } from '../engine/driver.ts';
import { isBusy, toAppError } from '../engine/sqlite-errors.ts';

/**
 * Locks a file between processes with SQLite's file locks: Node has none, and these end with their process. The file
 * stays empty. Returns the function that unlocks. Returns null when another process holds the lock after `patienceMs`
 * milliseconds.
 */
export function lockFile(path: string, kind: 'exclusive' | 'shared', patienceMs: number): (() => void) | null {
  // Does not open an existing file: closing it would release every lock of this process on it.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  const connection = new sqlite.DatabaseSync(path, { timeout: patienceMs });
  try {
    // No data is written, so there is nothing to roll back after a crash.
    connection.exec('PRAGMA journal_mode = MEMORY');
    // The first read takes a shared lock.
    connection.exec(kind === 'exclusive' ? 'BEGIN EXCLUSIVE' : 'BEGIN; SELECT count(*) FROM sqlite_schema');
  } catch (error) {
    connection.close();
    if (isBusy(error)) return null;
    throw toAppError(error);
  }
  return () => {
    connection.exec('ROLLBACK');
    connection.close();
  };
}
