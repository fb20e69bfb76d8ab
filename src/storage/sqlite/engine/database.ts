import { closeSync, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { linedTerms } from '../../search/address-terms.ts';
import { foldedText } from '../../search/sought-tags.ts';
import { sqlite, type Row, type SqliteConnection, type SqliteStatement, type SqlValue } from './driver.ts';

/** Milliseconds a connection waits for a write of another one before SQLITE_BUSY. */
const BUSY_TIMEOUT_MS = 5000;
/** Maximum prepared statements per connection. Drops the one prepared first. */
const MAX_STATEMENTS = 256;
/** Pages in the write-ahead log that start a checkpoint: 16 MB, several digest batches. */
const CHECKPOINT_PAGES = 4000;
/** Bytes to which the write-ahead log is truncated after it has grown. */
const WAL_SIZE_LIMIT = 64 * 1024 * 1024;

export interface DatabaseOptions {
  /** Page cache bound in KiB. Memory of the process is bounded by the sum over its connections. */
  readonly cacheKib: number;
  /** Milliseconds to wait for another connection's write; default 5000. */
  readonly busyTimeoutMs?: number;
}

/** Connection with the settings that the store's guarantees need, and a cache of statements. */
export class SqliteDatabase {
  readonly file: string;
  readonly connection: SqliteConnection;
  readonly #statements = new Map<string, SqliteStatement>();

  /** Opens the file; creates a missing one with mode 0600. */
  constructor(file: string, options: DatabaseOptions) {
    createPrivately(file);
    this.file = file;
    const timeout = options.busyTimeoutMs ?? BUSY_TIMEOUT_MS;
    this.connection = new sqlite.DatabaseSync(file, { timeout });
    try {
      this.connection.function('folded', { deterministic: true }, (text) => foldedText(String(text)));
      this.connection.function('address_terms', { deterministic: true }, (tag) => linedTerms(String(tag)));
      this.connection.exec(`
        PRAGMA busy_timeout = ${timeout};
        PRAGMA synchronous = FULL;
        PRAGMA foreign_keys = ON;
        PRAGMA cache_size = -${options.cacheKib};
        PRAGMA temp_store = MEMORY;
        PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
        PRAGMA journal_size_limit = ${WAL_SIZE_LIMIT};`);
    } catch (error) {
      this.connection.close();
      throw error;
    }
  }

  /** `forColumns`: see `prepareForColumns` of `SqliteConnection`. */
  prepare(sql: string, forColumns = false): SqliteStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) {
      return known;
    }
    const statement = forColumns ? this.connection.prepareForColumns(sql) : this.connection.prepare(sql);
    if (this.#statements.size >= MAX_STATEMENTS) {
      for (const oldest of this.#statements.keys()) {
        this.#statements.delete(oldest);
        break;
      }
    }
    this.#statements.set(sql, statement);
    return statement;
  }

  /** Prepares a frequent statement whose numbers only reach INTEGER columns. */
  prepareForColumns(sql: string): SqliteStatement {
    return this.prepare(sql, true);
  }

  get(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.prepare(sql).get(...values);
  }

  all(sql: string, ...values: SqlValue[]): Row[] {
    return this.prepare(sql).all(...values);
  }

  /** Runs a statement; returns the number of rows changed. */
  run(sql: string, ...values: SqlValue[]): number {
    return Number(this.prepare(sql).run(...values).changes);
  }

  /** Inserts a row; returns its id. */
  insert(sql: string, ...values: SqlValue[]): number {
    return Number(this.prepare(sql).run(...values).lastInsertRowid);
  }

  /** Returns the first column of the first row as a number; 0 when there is none. */
  number(sql: string, ...values: SqlValue[]): number {
    const row = this.get(sql, ...values);
    return row === undefined ? 0 : Number(Object.values(row)[0]);
  }

  /** Runs `work` as one write transaction; rolls back when it throws. */
  transaction<T>(work: () => T): T {
    return this.#within('BEGIN IMMEDIATE', work);
  }

  /** Runs reads on one consistent state of the data. */
  snapshot<T>(work: () => T): T {
    return this.#within('BEGIN', work);
  }

  /**
   * Runs `work` as the only transaction of all processes. Sorts, such as those of a new index, are in files beside the
   * store, which SQLite removes: in memory they would take some 50 bytes for each row.
   */
  rebuild<T>(work: () => T): T {
    const folder = dirname(this.file).replaceAll("'", "''");
    this.connection.exec(`PRAGMA temp_store = FILE; PRAGMA temp_store_directory = '${folder}'`);
    try {
      return this.#within('BEGIN EXCLUSIVE', work);
    } finally {
      this.connection.exec(`PRAGMA temp_store_directory = ''; PRAGMA temp_store = MEMORY`);
    }
  }

  #within<T>(begin: string, work: () => T): T {
    this.connection.exec(begin);
    try {
      const result = work();
      this.connection.exec('COMMIT');
      return result;
    } catch (error) {
      try {
        this.connection.exec('ROLLBACK');
      } catch {
        // SQLite has already rolled back (disk full, I/O error); keeps the first error.
      }
      throw error;
    }
  }

  /**
   * Moves the log into the file when no other process uses it. The packaged driver does not do so on close: its handle
   * lives until its statements are collected.
   */
  checkpoint(): void {
    this.connection.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
  }

  /**
   * Closes the connection. The packaged driver cannot finalise statements, so it closes the files at the next garbage
   * collection.
   */
  close(): void {
    this.#statements.clear();
    this.connection.close();
  }
}

/**
 * Creates the file before SQLite, which would make it readable for other users. Does not open an existing file: closing
 * it would release the locks of this process's connections.
 */
function createPrivately(file: string): void {
  if (existsSync(file)) {
    return;
  }
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error;
    }
  }
}
