import type { AppError, ErrorCode } from '../../domain/app-error.ts';
import type { Kind, Reference } from './kind.ts';

/** Values of some members; all of them must be equal. */
export type Condition<R> = { readonly [M in keyof R & string]?: R[M] & (string | number | boolean | null) };
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

/** One write of one row, as data: it may run in another thread. `T`: type of its result. */
export interface Write<T = unknown> {
  readonly op: 'insert' | 'put' | 'change' | 'remove';
  /** Name of the kind. */
  readonly kind: string;
  /** Of `insert` and `put` the whole row, without its number while it has none; of the others the key. */
  readonly row: Values;
  /** New values; of `change` only. */
  readonly set?: Values;
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

/** Changes members of a row; false without one that has the key and meets `is`. */
export function change<R, K extends keyof R & string>(
  { name }: Kind<R, K>,
  key: Pick<R, K>,
  set: Partial<Omit<R, K>>,
  is: Condition<R> = {},
): Write<boolean> {
  return { op: 'change', kind: name, row: { ...key }, set: { ...set }, if: is };
}

/** Removes a row; false without one that has the key and meets `is`. */
export function remove<R, K extends keyof R & string>(
  { name }: Kind<R, K>,
  key: Pick<R, K>,
  { is = {}, when }: { readonly is?: Condition<R> } & When = {},
): Write<boolean> {
  return { op: 'remove', kind: name, row: { ...key }, if: is, ...(when === undefined ? {} : { when }) };
}

/** Returns the members of a row, whose type is that of its kind. */
const valuesOf = (row: unknown): Values => row as Values;

/** Leaves out what another thread does not need, and cannot be sent. */
function only({ name, key }: Reference<never>): Reference<unknown> {
  return { name, key } as unknown as Reference<unknown>;
}
