import { snakeCase, type AnyKind } from '../../records/kind.ts';
import { orderOf } from '../documents/record-documents.ts';
import { KIND_NAMES, kindOf, type KindName } from '../../records/kinds.ts';

interface RecordIndex {
  readonly name: string;
  readonly key: Readonly<Record<string, 1 | -1>>;
  readonly unique?: true;
}

interface RecordCollection {
  readonly name: string;
  readonly keyBytes: null;
  readonly indexes: readonly RecordIndex[];
}

/** Collections of the declared kinds, with their indexes. */
export const RECORD_COLLECTIONS = Object.fromEntries(
  KIND_NAMES.map((name) => [name, collectionOf(kindOf(name))]),
) as Readonly<Record<KindName, RecordCollection>>;

function collectionOf(kind: AnyKind): RecordCollection {
  const index = ([name, members]: readonly [string, readonly string[]]) => ({ name, key: orderOf(kind, members) });
  const unique = Object.entries(kind.unique).map((order) => ({ ...index(order), unique: true as const }));
  const indexes = [...unique, ...Object.entries(kind.indexes).map(index)];
  return { name: snakeCase(kind.name).replaceAll('_', ''), keyBytes: null, indexes };
}
