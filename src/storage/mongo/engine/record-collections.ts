import { snakeCase, type AnyKind } from '../../records/kind.ts';
import { ascending } from '../documents/record-documents.ts';
import { KIND_NAMES, kindOf, type KindName } from '../../records/kinds.ts';

interface RecordCollection {
  readonly name: string;
  readonly keyBytes: null;
  readonly indexes: readonly { readonly name: string; readonly key: Readonly<Record<string, 1>> }[];
}

/** Collections of the declared kinds, with their indexes. */
export const RECORD_COLLECTIONS = Object.fromEntries(
  KIND_NAMES.map((name) => [name, collectionOf(kindOf(name))]),
) as Readonly<Record<KindName, RecordCollection>>;

function collectionOf(kind: AnyKind): RecordCollection {
  const indexes = Object.entries(kind.indexes).map(([name, members]) => ({ name, key: ascending(kind, members) }));
  return { name: snakeCase(kind.name).replaceAll('_', ''), keyBytes: null, indexes };
}
