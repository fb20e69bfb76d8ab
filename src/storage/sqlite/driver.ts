import { createRequire } from 'node:module';

/** Values of SQLite; integers beyond 2^53 never occur in these tables. */
export type SqlValue = null | number | string | Uint8Array;
/** Row without a prototype: map it, do not compare it. */
export type Row = Readonly<Record<string, SqlValue>>;

export interface SqliteStatement {
  run(...values: SqlValue[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
  get(...values: SqlValue[]): Row | undefined;
  all(...values: SqlValue[]): Row[];
}

export interface SqliteConnection {
  prepare(sql: string): SqliteStatement;
  /** Adds a function to the connection that has the same result for the same value. */
  function(name: string, options: { readonly deterministic: true }, call: (value: SqlValue) => SqlValue): void;
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

/** Part of the `node:sqlite` interface used by the store. */
export interface SqliteDriver {
  readonly DatabaseSync: new (file: string, options?: SqliteOpenOptions) => SqliteConnection;
  /** Online backup; Node has it from 22.16 on. */
  readonly backup?: (source: SqliteConnection, target: string, options?: BackupOptions) => Promise<number>;
}

/**
 * SQLite of Node where it needs no flag (22.13 and later), else the same code packaged as an add-on. Selected once per
 * process; see docs/adr/0002-store-driver.md.
 */
export const sqlite: SqliteDriver = builtInDriver() ?? packagedDriver();

function builtInDriver(): SqliteDriver | undefined {
  const emitWarning = process.emitWarning.bind(process);
  // Node 22 warns that the module is experimental, which is of no use to operators. Other warnings pass.
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
