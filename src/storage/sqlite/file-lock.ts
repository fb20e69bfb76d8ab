import { closeSync, existsSync, openSync } from 'node:fs';
import { sqlite } from './driver.ts';
import { isBusy, toAppError } from './sqlite-errors.ts';

/**
 * Locks between processes, by way of SQLite's own file locks: Node has none, and these go with the
 * process that holds them, however it ends. The file stays empty. Answers the function that unlocks, or
 * null when another process holds the lock after `patienceMs` milliseconds.
 */
export function lockFile(path: string, kind: 'exclusive' | 'shared', patienceMs: number): (() => void) | null {
  // Never for an existing file: closing it would drop every lock that this process holds on it.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  const connection = new sqlite.DatabaseSync(path, { timeout: patienceMs });
  try {
    // Nothing is ever written, so there is nothing to roll back after a crash.
    connection.exec('PRAGMA journal_mode = MEMORY');
    // A shared lock is taken by the first read.
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
