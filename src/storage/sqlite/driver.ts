import { createRequire } from 'node:module';

/** What SQLite stores and gives back; integers beyond 2^53 never occur in our tables. */
export type SqlValue = null | number | string | Uint8Array;
/** A row has no prototype: map it, do not compare it. */
export type Row = Readonly<Record<string, SqlValue>>;

export interface SqliteStatement {
  run(...values: SqlValue[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
  get(...values: SqlValue[]): Row | undefined;
  all(...values: SqlValue[]): Row[];
}

export interface SqliteConnection {
  prepare(sql: string): SqliteStatement;
  exec(sql: string): void;
  close(): void;
}

export interface SqliteOpenOptions {
  readonly readOnly?: boolean;
  /** Milliseconds to wait for a lock. */
  readonly timeout?: number;
}

export interface BackupOptions {
  /** Pages copied per step. */
  readonly rate?: number;
  readonly progress?: (state: { readonly totalPages: number; readonly remainingPages: number }) => void;
}

/** The part of the `node:sqlite` interface that the store uses. */
export interface SqliteDriver {
  readonly DatabaseSync: new (file: string, options?: SqliteOpenOptions) => SqliteConnection;
  /** Online backup; Node has it from 22.16 on. */
  readonly backup?: (source: SqliteConnection, target: string, options?: BackupOptions) => Promise<number>;
}

/**
 * Node's own SQLite where it is there without a flag (22.13 and later), else the same code packaged as
 * an add-on. Decided once per process; see docs/adr/0002-store-driver.md.
 */
export const sqlite: SqliteDriver = builtInDriver() ?? packagedDriver();

function builtInDriver(): SqliteDriver | undefined {
  const emitWarning = process.emitWarning.bind(process);
  // Node 22 calls the module experimental when it is loaded. That warning is known and of no use to an
  // operator; all others pass.
  process.emitWarning = (...args: unknown[]) => {
    if (args[1] !== 'ExperimentalWarning') {
      Reflect.apply(emitWarning, process, args);
    }
  };
  try {
    return process.getBuiltinModule('node:sqlite') as SqliteDriver | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

function packagedDriver(): SqliteDriver {
  return createRequire(import.meta.url)('@photostructure/sqlite') as SqliteDriver;
}
