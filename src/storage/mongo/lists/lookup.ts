import type { Doc } from '../batch/batch-collections.ts';
import type { MongoContext } from '../context.ts';
import type { Binary, ErrorDocument } from '../documents.ts';
import { reading } from '../operation-options.ts';

/** Error by its pointer: the number of its merge root, or its own. */
export type Pointer = Pick<ErrorDocument, 'id' | 'into'>;

/** Finds errors by an index. */
export interface Lookup {
  /** Returns the documents of errors with the condition, in no order, at most `limit`. */
  find(limit: number): Promise<Pointer[]>;
  /** Returns the keys (as hex) of those of the given documents that have the condition; null: not needed. */
  readonly among: ((keys: readonly Binary[]) => Promise<ReadonlySet<string>>) | null;
}

/** Returns errors by own members, by an index of theirs. */
export function ofErrors({ collections }: MongoContext, p: number, filter: Doc): Lookup {
  return {
    find: (limit) =>
      collections.errors
        .find<Pointer>({ ...filter, p }, reading('errors.sought', { _id: 0, id: 1, into: 1 }))
        .limit(limit)
        .toArray(),
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
    async find(limit) {
      const found = await Promise.all(lookups.map((lookup) => lookup.find(limit)));
      return [...new Map(found.flat().map((pointer) => [pointer.id, pointer])).values()];
    },
    among:
      checks.length < lookups.length
        ? null
        : async (keys) =>
            new Set((await Promise.all(checks.map((among) => among(keys)))).flatMap((found) => [...found])),
  };
}
