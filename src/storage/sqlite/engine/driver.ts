import { createRequire } from 'node:module';

/**
 * Values of SQLite. A safe integer is bound as INTEGER, every other number as REAL, by both drivers (`bindIntegers`).
 * Integers beyond 2^53 never occur in these tables; reading one throws.
 */
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
  /**
   * Prepares a frequent statement whose numbers only reach INTEGER columns, which convert a REAL: a bigint costs 0.1 µs
   * more for each. Throws for SQL in which the type of a number changes the result (`TYPE_MATTERS`).
   */
  prepareForColumns(sql: string): SqliteStatement;
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

/** What the drivers bind: a number as REAL (the packaged one binds those of 32 bits as INTEGER), a bigint as INTEGER. */
type BoundValue = SqlValue | bigint;

interface NativeStatement {
  run(...values: BoundValue[]): ReturnType<SqliteStatement['run']>;
  get(...values: BoundValue[]): Row | undefined;
  all(...values: BoundValue[]): Row[];
}

interface NativeDriver extends Pick<SqliteDriver, 'backup'> {
  readonly DatabaseSync: new (
    file: string,
    options?: SqliteOpenOptions,
  ) => Omit<SqliteConnection, 'prepare' | 'prepareForColumns'> & { prepare(sql: string): NativeStatement };
}

/**
 * SQLite of Node where it needs no flag (22.13 and later), else the same code packaged as an add-on. Selected once per
 * process; see docs/adr/0002-store-driver.md.
 */
export const sqlite: SqliteDriver = bindingIntegers(builtInDriver() ?? packagedDriver());

/** Returns the driver with statements that bind safe integers as INTEGER. */
export function bindingIntegers(native: NativeDriver): SqliteDriver {
  return {
    DatabaseSync: class extends native.DatabaseSync implements SqliteConnection {
      override prepare(sql: string): SqliteStatement & NativeStatement {
        return new Statement(super.prepare(sql));
      }

      prepareForColumns(sql: string): SqliteStatement {
        if (TYPE_MATTERS.test(sql)) throw new Error(`numbers of this statement have to be bound as INTEGER: ${sql}`);
        return super.prepare(sql);
      }
    },
    ...(native.backup === undefined ? {} : { backup: native.backup }),
  };
}

/** Operators and functions with another result for `5.0` than for `5`: division, remainder, bits, text, JSON, types. */
const TYPE_MATTERS = /[/%|&~]|<<|>>|\b(?:json\w*|printf|format|cast|typeof|like|glob|substr|instr|replace|quote)\b/i;

class Statement implements SqliteStatement {
  readonly #native: NativeStatement;

  constructor(native: NativeStatement) {
    this.#native = native;
  }

  run(...values: BoundValue[]): ReturnType<SqliteStatement['run']> {
    bindIntegers(values);
    return this.#native.run(...values);
  }

  get(...values: BoundValue[]): Row | undefined {
    bindIntegers(values);
    return this.#native.get(...values);
  }

  all(...values: BoundValue[]): Row[] {
    bindIntegers(values);
    return this.#native.all(...values);
  }
}

/** Bigints of the integers below 256, which most bound numbers are. */
const SMALL_INTEGERS = Array.from({ length: 256 }, (_, value) => BigInt(value));

/**
 * Replaces safe integers by bigints. As a REAL, `5` divides without truncation and is `5.0` as a text and in JSON. An
 * INTEGER column converts it, so the fault only shows where a parameter is part of an expression.
 */
function bindIntegers(values: BoundValue[]): void {
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index];
    if (typeof value === 'number' && Number.isSafeInteger(value)) {
      // Only indices of the table: another number as a key of an array is looked up as a name, which is slow.
      values[index] = value >= 0 && value < 256 ? (SMALL_INTEGERS[value] ?? BigInt(value)) : BigInt(value);
    }
  }
}

/** Returns SQLite of Node, or undefined where it needs a flag. */
export function builtInDriver(): NativeDriver | undefined {
  const emitWarning = process.emitWarning.bind(process);
  // Node 22 warns that the module is experimental, which is of no use to operators. Other warnings pass.
  process.emitWarning = (...args: unknown[]) => {
    if (args[1] !== 'ExperimentalWarning') {
      Reflect.apply(emitWarning, process, args);
    }
  };
  try {
    return process.getBuiltinModule('node:sqlite') as NativeDriver | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Returns SQLite packaged as an add-on. */
export function packagedDriver(): NativeDriver {
  return createRequire(import.meta.url)('@photostructure/sqlite') as NativeDriver;
}
