import type { AnyKind, AnyRow, Kind, Reference } from '../../records/kind.ts';
import { KIND_NAMES, kindOf, type KindName, type KindRows } from '../../records/kinds.ts';

/** Document of a row of any kind. */
export interface RecordDocument {
  readonly _id: number | string;
  readonly [member: string]: unknown;
}

/** Document of a row with a key of one member, for code that reads it by its members. */
export type DocumentOf<R, K extends keyof R> = Omit<R, K> & { readonly _id: R[K] };

/** Member with a folded text in lower case. */
const FOLDED = 'lower';

/** Returns the `_id` of a row: its key, of several members joined by `/`. */
export function recordKey({ key, name }: Reference<never>, row: AnyRow): number | string {
  const [first, ...more] = key.map((member: string) => row[member]);
  if (typeof first !== 'number' && typeof first !== 'string') throw new TypeError(`a row of ${name} has no key`);
  return more.length === 0 ? first : [first, ...more].join('/');
}

/** Makes the document of a row. The only member of a key is in `_id` alone; several are also members. */
export function recordDocument(kind: AnyKind, row: AnyRow): RecordDocument {
  const members = Object.keys(kind.members).filter((member) => !isWholeKey(kind, member));
  const values = Object.fromEntries(members.map((member) => [member, row[member] ?? null]));
  return { _id: recordKey(kind, row), ...values, ...foldedValue(kind, row) };
}

/** Returns the projection of some members. */
export function projectionOf(kind: AnyKind, members: readonly string[]): Readonly<Record<string, 0 | 1>> {
  return { ...(!members.some((member) => isWholeKey(kind, member)) && { _id: 0 }), ...oneOf(kind, members) };
}

const oneOf = (kind: AnyKind, members: readonly string[]): Readonly<Record<string, 1>> =>
  Object.fromEntries(members.map((member) => [isWholeKey(kind, member) ? '_id' : member, 1 as const]));

/**
 * Makes a row of a document. Members that an earlier version did not write have their fallback. `only`: members that
 * were read; absent: all.
 */
export function toRecord<R, K extends keyof R & string>(
  of: Kind<R, K>,
  document: { readonly _id?: unknown },
  only: readonly string[] = Object.keys(of.members),
): R {
  const kind = of as unknown as AnyKind;
  const stored = document as AnyRow;
  const valueOf = (member: string): unknown =>
    isWholeKey(kind, member) ? stored['_id'] : (stored[member] ?? kind.members[member]?.fallback ?? null);
  // The declaration types the values of the document.
  return Object.fromEntries(only.map((member) => [member, valueOf(member)])) as R;
}

/** Returns the lower case of a folded member among the values, as a document has it. */
function foldedValue(kind: AnyKind, values: AnyRow): AnyRow {
  const folded = Object.keys(values).filter((member) => isFolded(kind, member));
  return Object.fromEntries(folded.map((member) => [FOLDED, (values[member] as string).toLowerCase()]));
}

/** Returns new values of members as a document has them. */
export const changedMembers = (kind: AnyKind, values: AnyRow = {}): AnyRow => ({
  ...values,
  ...foldedValue(kind, values),
});

const isFolded = ({ members }: AnyKind, member: string): boolean => members[member]?.stored === 'folded';

/** Returns the filter of rows by values, in which folded texts are sought in any case. */
export function filterOf(kind: AnyKind, values: AnyRow): AnyRow {
  const others = Object.entries(values).filter(([member]) => !isFolded(kind, member));
  return withKey(kind, { ...Object.fromEntries(others), ...foldedValue(kind, values) });
}

/** Returns a condition or an order with the names of the document. */
export function withKey(kind: Reference<never>, values: AnyRow): AnyRow {
  const key: readonly string[] = kind.key;
  const isWhole = key.every((member) => Object.hasOwn(values, member));
  if (!isWhole) return values;
  const rest = Object.entries(values).filter(([member]) => !key.includes(member));
  return { _id: recordKey(kind, values), ...Object.fromEntries(rest) };
}

const isWholeKey = ({ key }: AnyKind, member: string): boolean => key.length === 1 && key[0] === member;

/** Returns members of an order as a query or an index of documents names them. */
export function orderOf(kind: AnyKind, members: readonly string[]): Readonly<Record<string, 1 | -1>> {
  const nameOf = (member: string) => (isWholeKey(kind, member) ? '_id' : isFolded(kind, member) ? FOLDED : member);
  const pairs = members.map((member) =>
    member.startsWith('-') ? ([nameOf(member.slice(1)), -1] as const) : ([nameOf(member), 1] as const),
  );
  return Object.fromEntries(pairs);
}

/** Returns the order of lists: by key, without the members that are equal in all rows. */
export function keyOrder(kind: AnyKind, where: AnyRow): Readonly<Record<string, 1 | -1>> {
  return orderOf(
    kind,
    kind.key.filter((member) => !Object.hasOwn(where, member)),
  );
}

/** Documents of copied rows, by kind. */
export const RECORD_DOCUMENTS = Object.fromEntries(
  KIND_NAMES.map((name) => [name, (row: AnyRow) => recordDocument(kindOf(name), row)]),
) as unknown as { readonly [N in KindName]: (row: KindRows[N]) => RecordDocument };
