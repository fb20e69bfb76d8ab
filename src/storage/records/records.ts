import type { Kind } from './kind.ts';
import type { Condition, Requirement, Write } from './writes.ts';

/** Results of writes, in their order. Of an `insert` the row, of others whether a row was written. */
export type Results<W extends readonly Write[]> = {
  readonly [I in keyof W]: W[I] extends Write<infer T> ? T : never;
};

/** Part of a list. `newest`: the greatest values of a number come first; an index has them after the condition. */
export interface Part<R, M extends keyof R = keyof R> {
  readonly newest?: keyof R & string;
  /** With `newest`: only rows whose value is at least this. */
  readonly from?: number;
  /** With `newest`: only rows whose value is less than this. */
  readonly below?: number;
  /** Further values that are checked row by row: the condition alone decides which index is read. */
  readonly also?: Condition<R>;
  /** Rows before the first one; default none. */
  readonly skip?: number;
  /** At least 1; absent: all rows. */
  readonly limit?: number;
  /** Members that are read; absent: all. An index that has them is read instead of the rows. */
  readonly only?: readonly M[];
}

/** Rows of declared kinds. Rules over them are written once, for all stores. */
export interface Records {
  /** Milliseconds since the epoch. */
  now(): number;
  get<R, K extends keyof R & string>(kind: Kind<R, K>, key: Pick<R, K>): Promise<R | null>;
  /** The row with the values of a unique order. */
  find<R, K extends keyof R & string>(kind: Kind<R, K>, where: Condition<R>): Promise<R | null>;
  /** Rows by key. The condition is the beginning of the key or of an index; an empty one lists all rows. */
  list<R, K extends keyof R & string, M extends keyof R = keyof R>(
    kind: Kind<R, K>,
    where: Condition<R>,
    part?: Part<R, M>,
  ): Promise<Pick<R, M>[]>;
  /**
   * Checks the requirements, then writes. SQLite does it in one transaction. MongoDB has none: it writes in order, so
   * the first write carries the effect and the others may be repeated. Throws the refusal of the first requirement
   * that does not hold; nothing is written then.
   */
  write<const W extends readonly Write[]>(writes: W, requirements?: readonly Requirement[]): Promise<Results<W>>;
}
