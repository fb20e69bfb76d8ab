import { isDeepStrictEqual } from 'node:util';
import type { mongo } from 'mongoose';
import type { Models } from './models/define-models.ts';

const NAMESPACE_NOT_FOUND = 26;

/** What a database's indexes lack, each as `collection.index`. */
export interface IndexGaps {
  readonly missing: readonly string[];
  /** There, but with other keys or options than the models say. */
  readonly different: readonly string[];
}

/** An index as it works, whatever its name: what two that do the same have in common. */
interface IndexForm {
  readonly key: readonly (readonly [string, unknown])[];
  readonly unique: boolean;
  readonly partial: unknown;
}

interface NamedIndex {
  readonly name: string;
  readonly form: IndexForm;
}

interface WantedIndex extends NamedIndex {
  readonly spec: mongo.IndexDescription;
}

/** Compares what is there with what the models say: names, keys, uniqueness and conditions. */
export async function indexGaps(models: Models): Promise<IndexGaps> {
  const gaps = await Promise.all(Object.values(models).map(gapsOf));
  const names = (kind: keyof Gaps): string[] =>
    gaps.flatMap((each) => each[kind].map(({ name }) => `${each.collection}.${name}`));
  return { missing: names('missing'), different: names('different') };
}

/**
 * Makes every collection and index that is missing, and anew what differs; safe to repeat, also by several
 * processes at once.
 */
export async function makeIndexes(models: Models): Promise<void> {
  for (const model of Object.values(models)) {
    const collection = collectionOf(model);
    const { missing, different } = await gapsOf(model);
    for (const { name } of different) await dropIndex(collection, name);
    const wanted = [...different, ...missing];
    if (wanted.length > 0) await collection.createIndexes(wanted.map(({ spec }) => spec));
  }
}

type AnyModel = Models[keyof Models];

interface Gaps {
  readonly missing: readonly WantedIndex[];
  readonly different: readonly WantedIndex[];
}

async function gapsOf(model: AnyModel): Promise<Gaps & { readonly collection: string }> {
  const there = await indexesOf(collectionOf(model));
  const unlike = wantedOf(model).filter(
    // An index that somebody made by hand under another name does the same.
    ({ form }) => !there.some((index) => isDeepStrictEqual(index.form, form)),
  );
  const taken = new Set(there.map(({ name }) => name));
  return {
    collection: model.collection.collectionName,
    missing: unlike.filter(({ name }) => !taken.has(name)),
    different: unlike.filter(({ name }) => taken.has(name)),
  };
}

function wantedOf(model: AnyModel): WantedIndex[] {
  return model.schema.indexes().map(([key, options]) => {
    const { name = '', unique, partialFilterExpression } = options;
    const spec = {
      key: key as Record<string, 1 | -1>,
      name,
      ...(unique === true ? { unique } : {}),
      ...(partialFilterExpression === undefined ? {} : { partialFilterExpression }),
    };
    return { name, spec, form: formOf(spec) };
  });
}

function collectionOf(model: AnyModel): mongo.Collection {
  return model.collection;
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

/** Fine when another process was faster. */
async function dropIndex(collection: mongo.Collection, name: string): Promise<void> {
  try {
    await collection.dropIndex(name);
  } catch (error) {
    if ((error as { code?: unknown }).code !== INDEX_NOT_FOUND) throw error;
  }
}
