import type { AnyKind, AnyRow, Reference } from '../../records/kind.ts';
import { KIND_NAMES, kindOf, type KindName, type KindRows } from '../../records/kinds.ts';

/** Document of a row of any kind. */
export interface RecordDocument {
  readonly _id: number | string;
  readonly [member: string]: unknown;
}

/** Returns the `_id` of a row: its key, of several members joined by `/`. */
export function recordKey({ key, name }: Reference<never>, row: AnyRow): number | string {
  const [first, ...more] = key.map((member: string) => row[member]);
  if (typeof first !== 'number' && typeof first !== 'string') throw new TypeError(`a row of ${name} has no key`);
  return more.length === 0 ? first : [first, ...more].join('/');
}

/** Makes the document of a row. The only member of a key is in `_id` alone; several are also members. */
export function recordDocument(kind: AnyKind, row: AnyRow): RecordDocument {
  const members = Object.keys(kind.members).filter((member) => !isWholeKey(kind, member));
  return { _id: recordKey(kind, row), ...Object.fromEntries(members.map((member) => [member, row[member] ?? null])) };
}

/** Makes a row of a document. Members that an earlier version did not write have their fallback. */
export function toRecord(kind: AnyKind, document: RecordDocument): AnyRow {
  const valueOf = (member: string): unknown =>
    isWholeKey(kind, member) ? document._id : (document[member] ?? kind.members[member]?.fallback ?? null);
  const members: readonly string[] = Object.keys(kind.members);
  return Object.fromEntries(members.map((member) => [member, valueOf(member)]));
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

/** Returns members as a query or an index of documents names them, ascending. */
export function ascending(kind: AnyKind, members: readonly string[]): Readonly<Record<string, 1>> {
  return Object.fromEntries(members.map((member) => [isWholeKey(kind, member) ? '_id' : member, 1]));
}

/** Returns the order of lists: by key, without the members that are equal in all rows. */
export function keyOrder(kind: AnyKind, where: AnyRow): Readonly<Record<string, 1>> {
  return ascending(
    kind,
    kind.key.filter((member) => !Object.hasOwn(where, member)),
  );
}

/** Documents of copied rows, by kind. */
export const RECORD_DOCUMENTS = Object.fromEntries(
  KIND_NAMES.map((name) => [name, (row: AnyRow) => recordDocument(kindOf(name), row)]),
) as unknown as { readonly [N in KindName]: (row: KindRows[N]) => RecordDocument };
