import { snakeCase, tableName, type AnyKind, type AnyRow, type Kind, type MemberType } from '../../records/kind.ts';
import type { Row, SqlValue } from '../engine/driver.ts';

/** Returns the name of a column in a statement. */
export const column = (member: string): string => `"${snakeCase(member)}"`;

/** Returns the name of the index of a declared order. */
export const indexName = (kind: AnyKind, order: string): string => `${tableName(kind)}_${order}`;

/** Returns a column of an order. */
export function ordered(member: string): string {
  return member.startsWith('-') ? `${column(member.slice(1))} DESC` : column(member);
}

/** Returns the values of members for a statement. Throws for a member that the kind does not have. */
export function valuesOf(kind: AnyKind, members: readonly string[], row: AnyRow): SqlValue[] {
  return members.map((member) => toSql(typeOf(kind, member), row[member]));
}

/** Makes a row of a kind from one of its table. `only`: members that were read; absent: all. */
export function toRecord<R, K extends keyof R & string>(
  { members }: Kind<R, K>,
  row: Row,
  only: readonly (keyof R & string)[] = Object.keys(members) as (keyof R & string)[],
): R {
  const values = only.map((member) => [member, fromSql(members[member], row[snakeCase(member)] ?? null)] as const);
  // The declaration types the values of the table.
  return Object.fromEntries(values) as R;
}

function typeOf(kind: AnyKind, member: string): MemberType<unknown> {
  const type = kind.members[member];
  if (type === undefined) throw new TypeError(`${kind.name} has no member ${member}`);
  return type;
}

function toSql({ stored }: MemberType<unknown>, value: unknown): SqlValue {
  if (value === null || value === undefined) return null;
  if (stored === 'boolean') return value === true ? 1 : 0;
  if (stored === 'hex') return Buffer.from(value as string, 'hex');
  return stored === 'json' ? JSON.stringify(value) : (value as SqlValue);
}

function fromSql({ stored }: MemberType<unknown>, value: SqlValue): unknown {
  if (value === null) return null;
  if (stored === 'boolean') return value === 1;
  if (stored === 'hex') return Buffer.from(value as Uint8Array).toString('hex');
  return stored === 'json' ? (JSON.parse(value as string) as unknown) : value;
}
