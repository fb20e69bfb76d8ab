import { tableName, type AnyKind } from '../../records/kind.ts';
import { KIND_NAMES, kindOf, type KindName, type KindRows } from '../../records/kinds.ts';
import type { CopyPartOf } from './copy-release-parts.ts';
import { column, toRecord } from '../records/record-rows.ts';

/** Copy of all declared kinds. */
export const RECORD_PARTS = Object.fromEntries(KIND_NAMES.map((name) => [name, partOf(kindOf(name))])) as unknown as {
  readonly [N in KindName]: CopyPartOf<KindRows[N]>;
};

/** Pages by key: a cursor is the JSON of the values of a key. */
function partOf(kind: AnyKind): CopyPartOf<unknown> {
  const table = tableName(kind);
  const isHex = (member: string) => kind.members[member]?.stored === 'hex';
  const key = kind.key.map(column).join(', ');
  // JSON has no bytes.
  const shown = kind.key.map((member) => (isHex(member) ? `hex(${column(member)})` : column(member))).join(', ');
  const last = kind.key
    .map((member, index) => [isHex(member) ? 'unhex' : '', `(json_extract(?1, '$[${index}]'))`].join(''))
    .join(', ');
  const first = kind.key.map((member) => (kind.members[member]?.stored === 'integer' ? -1 : ''));
  return {
    count: `SELECT count(*) FROM ${table}`,
    page: `SELECT *, json_array(${shown}) AS page_key FROM ${table} WHERE (${key}) > (${last}) ORDER BY ${key}`,
    first: JSON.stringify(first),
    toRow: (row) => toRecord(kind, row),
  };
}
