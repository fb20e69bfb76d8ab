import { isDeepStrictEqual } from 'node:util';
import type { mongo } from 'mongoose';
import { COLLECTIONS, type CollectionName, type Collections } from './collections.ts';

const NAMES = Object.keys(COLLECTIONS) as CollectionName[];

const NAMESPACE_NOT_FOUND = 26;

/** Missing and different indexes of a database, each as `collection.index`. */
export interface IndexGaps {
  readonly missing: readonly string[];
  /** Existing indexes with other keys or options than in the table of collections. */
  readonly different: readonly string[];
}

/** Effect of an index, without its name: equal for indexes that do the same. */
interface IndexForm {
  readonly key: readonly (readonly [string, unknown])[];
  readonly unique: boolean;
  readonly partial: unknown;
}

interface NamedIndex {
  readonly name: string;
  readonly form: IndexForm;
}

/** Index as in the table of collections. */
interface NamedSpec extends Pick<mongo.IndexDescription, 'unique' | 'partialFilterExpression'> {
  readonly name: string;
  readonly key: Readonly<Record<string, 1 | -1>>;
}

interface WantedIndex extends NamedIndex {
  readonly spec: mongo.IndexDescription;
}

/** Compares the existing indexes with the table of collections: names, keys, uniqueness and conditions. */
export async function indexGaps(collections: Collections): Promise<IndexGaps> {
  const gaps = await Promise.all(NAMES.map((name) => gapsOf(collections, name)));
  const names = (kind: keyof Gaps): string[] =>
    gaps.flatMap((each, at) =>
      each[kind].map(({ name }) => `${COLLECTIONS[NAMES[at] as CollectionName].name}.${name}`),
    );
  return { missing: names('missing'), different: names('different') };
}

/**
 * Creates missing collections and indexes, and recreates different ones. Safe to repeat, also by several processes at
 * once. `onStep`: called before those of a collection are made.
 */
export async function makeIndexes(collections: Collections, onStep?: (collection: string) => void): Promise<void> {
  for (const name of NAMES) {
    const collection = collectionOf(collections, name);
    const { missing, different } = await gapsOf(collections, name);
    for (const index of different) await dropIndex(collection, index.name);
    const wanted = [...different, ...missing];
    if (wanted.length === 0) continue;
    onStep?.(collection.collectionName);
    await collection.createIndexes(wanted.map(({ spec }) => spec));
  }
}

interface Gaps {
  readonly missing: readonly WantedIndex[];
  readonly different: readonly WantedIndex[];
}

async function gapsOf(collections: Collections, name: CollectionName): Promise<Gaps> {
  const there = await indexesOf(collectionOf(collections, name));
  const unlike = wantedOf(name).filter(
    // A manually created index under another name has the same effect.
    ({ form }) => !there.some((index) => isDeepStrictEqual(index.form, form)),
  );
  const taken = new Set(there.map((index) => index.name));
  return {
    missing: unlike.filter((index) => !taken.has(index.name)),
    different: unlike.filter((index) => taken.has(index.name)),
  };
}

function wantedOf(name: CollectionName): WantedIndex[] {
  const specs: readonly NamedSpec[] = COLLECTIONS[name].indexes;
  return specs.map((index) => {
    // The driver may change its argument.
    const spec = { ...index, key: { ...index.key } };
    return { name: index.name, spec, form: formOf(spec) };
  });
}

function collectionOf(collections: Collections, name: CollectionName): mongo.Collection {
  return collections[name] as unknown as mongo.Collection;
}

async function indexesOf(collection: mongo.Collection): Promise<NamedIndex[]> {
  try {
    return (await collection.indexes()).map((index) => ({ name: index.name ?? '', form: formOf(index) }));
  } catch (error) {
    // The collection itself is missing.
    if ((error as { code?: unknown }).code === NAMESPACE_NOT_FOUND) return [];
    throw error;
  }
}

function formOf({ key, unique, partialFilterExpression }: Partial<mongo.IndexDescription>): IndexForm {
  return {
    key: Object.entries(key ?? {}).map(([member, direction]) => [member, Number(direction)] as const),
    unique: unique === true,
    partial: partialFilterExpression ?? null,
  };
}

const INDEX_NOT_FOUND = 27;

/** Drops an index, unless another process has dropped it. */
async function dropIndex(collection: mongo.Collection, name: string): Promise<void> {
  try {
    await collection.dropIndex(name);
  } catch (error) {
    if ((error as { code?: unknown }).code !== INDEX_NOT_FOUND) throw error;
  }
}
