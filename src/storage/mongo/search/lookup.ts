import type { Doc } from '../engine/batch-collections.ts';
import type { MongoContext } from '../engine/context.ts';
import type { Binary } from '../documents/document-keys.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';
import type { IndexKey } from '../documents/error-indexes.ts';
import { reading } from '../engine/operation-options.ts';

/** Error by its pointer: the number of its merge root, or its own. */
export type Pointer = Pick<ErrorDocument, 'id' | 'into'>;

/** Finds errors by an index. */
export interface Lookup {
  /** Returns the documents of errors with the condition, in no order; null: there are more than `most`. */
  find(most: number): Promise<readonly Pointer[] | null>;
  /**
   * Returns errors that may lack the condition, among them all that do; null: there are more than `most`. Absent: no
   * index tells. It reads more than `find`: for conditions that many errors have.
   */
  readonly without?: (most: number) => Promise<readonly Pointer[] | null>;
  /** Returns the keys (as hex) of those of the given documents that have the condition; null: not needed. */
  readonly among: ((keys: readonly Binary[]) => Promise<ReadonlySet<string>>) | null;
}

interface Limited<T> {
  limit(count: number): Limited<T>;
  batchSize(count: number): Limited<T>;
  toArray(): Promise<T[]>;
}

/** Reads all rows in one answer of the server; null: there are more than `most`. */
export async function atMost<T>(rows: Limited<T>, most: number): Promise<T[] | null> {
  const found = await rows
    .limit(most + 1)
    .batchSize(most + 1)
    .toArray();
  return found.length > most ? null : found;
}

/** Returns errors by own members. `index`: the one to read; planners take longer ones for as good. */
export function ofErrors({ collections }: MongoContext, p: number, filter: Doc, index: IndexKey): Lookup {
  return {
    find: (most) => {
      const rows = collections.errors.find<Pointer>(
        { p, ...filter },
        reading('errors.sought', { _id: 0, id: 1, into: 1 }),
      );
      return atMost(rows.hint({ ...index }), most);
    },
    among: null,
  };
}

/** Returns errors by their keys. */
export async function pointersOf(
  { collections }: MongoContext,
  p: number,
  keys: readonly Binary[],
): Promise<Pointer[]> {
  if (keys.length === 0) return [];
  return collections.errors
    .find<Pointer>({ _id: { $in: [...keys] }, p }, reading('errors.of_event', { id: 1, into: 1 }))
    .batchSize(keys.length)
    .toArray();
}

/** Lookup that finds nothing. */
export const NOTHING: Lookup = {
  find: () => Promise.resolve([]),
  among: () => Promise.resolve(new Set<string>()),
};

/** Finds errors that one of the look-ups finds. */
export function eitherOf(lookups: readonly Lookup[]): Lookup {
  const checks = lookups.flatMap(({ among }) => among ?? []);
  return {
    async find(most) {
      const once = new Map<number, Pointer>();
      for (const found of await Promise.all(lookups.map((lookup) => lookup.find(most)))) {
        if (found === null) return null;
        for (const pointer of found) once.set(pointer.id, pointer);
      }
      return once.size > most ? null : [...once.values()];
    },
    among:
      checks.length < lookups.length
        ? null
        : async (keys) =>
            new Set((await Promise.all(checks.map((among) => among(keys)))).flatMap((found) => [...found])),
  };
}
