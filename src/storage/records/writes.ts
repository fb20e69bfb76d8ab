import type { AppError, ErrorCode } from '../../domain/app-error.ts';
import type { Kind, Reference } from './kind.ts';

type Comparable = string | number | boolean | null | readonly string[];
/** Values of some members; all of them must be equal. */
export type Condition<R> = { readonly [M in keyof R & string]?: R[M] & Comparable };
type Numbers<R> = { readonly [M in keyof R & string]?: R[M] & number };
type Values = Readonly<Record<string, unknown>>;

/** Condition on other rows. `fewer`: less than `limit` rows meet `where`, without the one of the key `besides`. */
export type Check =
  | { readonly check: 'exists' | 'absent'; readonly of: Reference<unknown>; readonly key: Values }
  | {
      readonly check: 'fewer';
      readonly of: Reference<unknown>;
      readonly where: Values;
      readonly limit: number;
      readonly besides: Values | null;
    };

/** Rows that `removeAll` leaves: those of the greatest values of a member, and the row of the key `besides`. */
interface Left {
  readonly newest: string;
  readonly keep: number;
  readonly besides: Values;
}

/** One write of one row, as data: it may run in another thread. `T`: type of its result. */
export interface Write<T = unknown> {
  readonly op: 'insert' | 'put' | 'change' | 'remove' | 'removeAll';
  /** Name of the kind. */
  readonly kind: string;
  /**
   * Of `insert` and `put` the whole row, without its number while it has none. Of `removeAll` what the rows have in
   * common, of the others the key.
   */
  readonly row: Values;
  /** New values of a `change`, and of a `put` that leaves the other members of a stored row. */
  readonly set?: Values;
  /** Numbers of a `change` that are added, and times that only move forward. */
  readonly add?: Values;
  readonly max?: Values;
  readonly left?: Left;
  /** The row must have these values, otherwise nothing is written. */
  readonly if?: Values;
  /** All of them must hold, otherwise nothing is written. */
  readonly when?: readonly Check[];
  readonly result?: T;
}

/** Refusal of all writes when a check does not hold. */
export interface Requirement {
  readonly needed: Check;
  readonly code: ErrorCode;
  readonly message: string;
}

type When = Pick<Write, 'when'>;

export const exists = <K>(of: Reference<K>, key: K): Check => ({ check: 'exists', of: only(of), key: valuesOf(key) });
export const absent = <K>(of: Reference<K>, key: K): Check => ({ check: 'absent', of: only(of), key: valuesOf(key) });

/**
 * Less than `limit` rows, not counting the one that is written itself. Exact on SQLite. On MongoDB, two requests at the
 * same time may exceed the limit by one.
 */
export function fewer<R, K extends keyof R & string>(
  of: Kind<R, K>,
  where: Condition<R>,
  limit: number,
  besides: Pick<R, K> | null = null,
): Check {
  return { check: 'fewer', of: only(of), where, limit, besides: besides === null ? null : valuesOf(besides) };
}

/** Throws `refusal` unless the check holds. */
export function required(needed: Check, { code, message }: AppError): Requirement {
  return { needed, code, message };
}

/**
 * Inserts a row; null when its key is taken. A numbered kind gets its number. `when` is checked again afterwards: the
 * row goes when what it belongs to was removed at the same time.
 */
export function insert<R, K extends keyof R & string>(
  { name }: Kind<R, K>,
  row: Omit<R, K> & Partial<R>,
  when: When = {},
): Write<R | null> {
  return { op: 'insert', kind: name, row: { ...row }, ...when };
}

/** Inserts a row, or replaces the members of the one with its key. */
export function put<R, K extends keyof R & string>({ name }: Kind<R, K>, row: R, when: When = {}): Write<boolean> {
  return { op: 'put', kind: name, row: valuesOf(row), ...when };
}

/** Changes members of a row, or inserts it with the values of `others` for those that `set` leaves out. */
export function patch<R, K extends keyof R & string>(
  { name }: Kind<R, K>,
  key: Pick<R, K>,
  set: Partial<Omit<R, K>>,
  others: Omit<R, K>,
): Write<boolean> {
  return { op: 'put', kind: name, row: { ...others, ...set, ...key }, set: { ...set } };
}

/**
 * Changes members of a row; false without one that has the key and meets `is`. `add` is added to numbers. `max`
 * replaces a smaller number or null.
 */
export function change<R, K extends keyof R & string>(
  { name }: Kind<R, K>,
  key: Pick<R, K>,
  set: Partial<Omit<R, K>>,
  is: Condition<R> = {},
  more: { readonly add?: Numbers<R>; readonly max?: Numbers<R> } = {},
): Write<boolean> {
  return { op: 'change', kind: name, row: { ...key }, set: { ...set }, if: is, ...more };
}

/** Removes a row; false without one that has the key and meets `is`. */
export function remove<R, K extends keyof R & string>(
  { name }: Kind<R, K>,
  key: Pick<R, K>,
  { is = {}, when }: { readonly is?: Condition<R> } & When = {},
): Write<boolean> {
  return { op: 'remove', kind: name, row: { ...key }, if: is, ...(when === undefined ? {} : { when }) };
}

/** Removes all rows that meet `where`, but not those `left`; false without any. */
export function removeAll<R, K extends keyof R & string>(
  { name }: Kind<R, K>,
  where: Condition<R>,
  left?: { readonly newest: keyof R & string; readonly keep: number; readonly besides: Pick<R, K> },
): Write<boolean> {
  return { op: 'removeAll', kind: name, row: where, ...(left === undefined ? {} : { left }) };
}

/** Returns the members of a row, whose type is that of its kind. */
const valuesOf = (row: unknown): Values => row as Values;

/** Leaves out what another thread does not need, and cannot be sent. */
function only({ name, key, table }: Reference<never>): Reference<unknown> {
  return { name, key, table } as unknown as Reference<unknown>;
}
