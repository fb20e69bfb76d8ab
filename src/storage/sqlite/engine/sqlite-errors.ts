import { AppError } from '../../../domain/app-error.ts';
import { STORE_RETRY_AFTER_SECONDS } from '../../limits.ts';

/** Result codes of SQLite for an unusable file, and the message for each. */
const UNAVAILABLE = new Map<number, string>([
  [5, 'the store is locked by another process; try again shortly'],
  [6, 'the store is locked by another process; try again shortly'],
  [8, 'the store file is read-only; check its owner and permissions'],
  [10, 'the disk failed while the store was read or written; check the disk'],
  [11, 'the store file is damaged; restore a backup'],
  [13, 'the disk of the store is full; free some space'],
  [14, 'the store file cannot be opened; check that its folder exists and is writable'],
  [15, 'the store is locked by another process; try again shortly'],
  [26, 'the store file is not an SQLite database; check store.url or restore a backup'],
]);
const CONSTRAINT = 19;
const UNIQUE_CODES = new Set([2067, 1555]);
const FOREIGN_KEY = 787;

/**
 * Result codes by SQLite's messages (`sqlite3_errstr`). The packaged driver gives no code with errors of `all()`, only
 * the message.
 */
const CODE_OF_MESSAGE = new Map<string, number>([
  ['database is locked', 5],
  ['database table is locked', 6],
  ['attempt to write a readonly database', 8],
  ['disk I/O error', 10],
  ['database disk image is malformed', 11],
  ['database or disk is full', 13],
  ['unable to open database file', 14],
  ['locking protocol', 15],
  ['file is not a database', 26],
]);

/** Primary result codes: the file is damaged, or holds something else than a database. */
const DAMAGED = new Set([11, 26]);

/** Returns SQLite's (extended) result code of an error of the driver; undefined for other errors. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  if (typeof errcode === 'number') return errcode;
  return code === 'ERR_SQLITE_ERROR' ? CODE_OF_MESSAGE.get(error.message) : undefined;
}

/** Returns true for the error of a damaged file, also as the cause of an AppError. */
export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error instanceof AppError ? error.cause : error);
  return code !== undefined && DAMAGED.has(code & 0xff);
}

/** Returns true when another connection holds the requested lock. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== undefined && (code & 0xff) === 5;
}

/**
 * Converts a driver error to an AppError. `store_unavailable` with a message where a retry or an operator helps,
 * `conflict` and `not_found` for broken constraints, else `internal`. AppErrors pass unchanged.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) {
    return error;
  }
  const code = sqliteCode(error);
  if (code !== undefined) {
    const sentence = UNAVAILABLE.get(code & 0xff);
    if (sentence !== undefined) {
      return new AppError('store_unavailable', sentence, {
        cause: error,
        retryAfterSeconds: STORE_RETRY_AFTER_SECONDS,
      });
    }
    if (UNIQUE_CODES.has(code)) {
      return new AppError('conflict', 'something with this name or id already exists', { cause: error });
    }
    if (code === FOREIGN_KEY) {
      return new AppError('not_found', 'the user or project it refers to does not exist', { cause: error });
    }
    const kind = (code & 0xff) === CONSTRAINT ? 'refused a value' : 'failed';
    return new AppError('internal', `the store ${kind}`, { cause: error });
  }
  if (isFileError(error)) {
    const message = `cannot ${error.syscall} ${error.path ?? 'the store file'} (${error.code ?? 'unknown'}): check the folder and its permissions`;
    return new AppError('store_unavailable', message, { cause: error, retryAfterSeconds: STORE_RETRY_AFTER_SECONDS });
  }
  if (isClosed(error)) {
    return new AppError('store_unavailable', 'the store is closed', { cause: error });
  }
  return new AppError('internal', 'the store failed unexpectedly', { cause: error });
}

function isClosed(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === 'ERR_INVALID_STATE';
}

function isFileError(error: unknown): error is NodeJS.ErrnoException & { syscall: string } {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === 'string';
}
