import { existsSync } from 'node:fs';
import { AppError } from '../../../domain/app-error.ts';
import { sqlite, type SqliteConnection } from '../engine/driver.ts';
import { checkVersion } from './migrate.ts';
import { sqliteCode, toAppError } from '../engine/sqlite-errors.ts';

/** SQLite's SQLITE_NOTADB. */
const NO_DATABASE = 26;

export interface StoreFileCounts {
  readonly projects: number;
  readonly errors: number;
  readonly events: number;
}

/**
 * Counts the content of a store file after checking that it is one. Also reads a backup completely to find damage.
 * Throws `store_unavailable` for a missing or damaged file, `store_too_new`, and `invalid_configuration` for a foreign
 * file. Every message names the file.
 */
export function inspectStoreFile(file: string, kind: 'store' | 'backup'): StoreFileCounts {
  if (!existsSync(file)) {
    throw new AppError('store_unavailable', `there is no ${kind} at ${file}`);
  }
  let db: SqliteConnection | undefined;
  try {
    db = new sqlite.DatabaseSync(file, { timeout: 5000 });
    return inspect(db, file, kind);
  } catch (error) {
    throw sqliteCode(error) === NO_DATABASE
      ? new AppError('invalid_configuration', `${file} is not a database, so it is not an errgate ${kind}`, {
          cause: error,
        })
      : aboutFile(file, toAppError(error));
  } finally {
    db?.close();
  }
}

/** Reads a store file completely; returns SQLite's description of the first damage, null for a sound file. */
export function findDamage(file: string): string | null {
  let db: SqliteConnection | undefined;
  try {
    db = new sqlite.DatabaseSync(file, { timeout: 5000 });
    return firstDamage(db);
  } catch (error) {
    return toAppError(error).message;
  } finally {
    db?.close();
  }
}

/** Reads every page; returns SQLite's description of the first damage, null without any. */
function firstDamage(db: SqliteConnection): string | null {
  const verdict = db.prepare('PRAGMA quick_check(1)').get()?.quick_check;
  return verdict === 'ok' ? null : String(verdict);
}

/** Adds the file's name to messages about "the store", which users would take for the store in use. */
function aboutFile(file: string, error: AppError): AppError {
  const { code, message, retryAfterSeconds } = error;
  if (message.includes(file)) return error;
  const wait = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return new AppError(code, `${file}: ${message}`, { cause: error.cause, ...wait });
}

function inspect(db: SqliteConnection, file: string, kind: 'store' | 'backup'): StoreFileCounts {
  const number = (sql: string) => Number(Object.values(db.prepare(sql).get() ?? { none: 0 })[0]);
  if (checkVersion({ file, number }) === 0) {
    throw new AppError('invalid_configuration', `${file} is empty, not an errgate ${kind}`);
  }
  if (kind === 'backup') {
    if (firstDamage(db) !== null) {
      throw new AppError('store_unavailable', `${file} is damaged: use another backup`);
    }
  }
  return {
    projects: number('SELECT count(*) FROM projects'),
    errors: number('SELECT count(*) FROM errors'),
    events: number('SELECT count(*) FROM events'),
  };
}
