import { mongo } from 'mongoose';
import type { Doc } from '../../src/storage/mongo/engine/batch-collections.ts';

/** Matches a document with MongoDB's semantics, for the filters that batches use. */
export function matches(document: Doc, filter: Doc): boolean {
  return Object.entries(filter).every(([path, condition]) => {
    if (path === '$expr') {
      const { $lt, $not } = condition as { $lt?: [string, string]; $not?: [Doc] };
      if ($not !== undefined) return !matches(document, { $expr: $not[0] });
      const [left, right] = $lt!;
      return compare(valueAt(document, left.slice(1)), valueAt(document, right.slice(1))) < 0;
    }
    if (path === '$or') return (condition as Doc[]).some((each) => matches(document, each));
    return holds(valueAt(document, path), condition);
  });
}

function holds(value: unknown, condition: unknown): boolean {
  if (!isOperators(condition)) {
    return value !== undefined && compare(value, condition) === 0;
  }
  return Object.entries(condition).every(([operator, operand]) => {
    switch (operator) {
      case '$in':
        return (operand as unknown[]).some((each) => holds(value, each));
      case '$gte':
        return value !== undefined && compare(value, operand) >= 0;
      case '$lte':
        return value !== undefined && compare(value, operand) <= 0;
      case '$gt':
        return value !== undefined && compare(value, operand) > 0;
      case '$lt':
        return value !== undefined && compare(value, operand) < 0;
      case '$not':
        return !holds(value, operand);
      case '$exists':
        return (value !== undefined) === operand;
      default:
        throw new Error(`the simulation does not know ${operator}`);
    }
  });
}

function isOperators(condition: unknown): condition is Doc {
  return isPlain(condition) && Object.keys(condition).some((key) => key.startsWith('$'));
}

function isPlain(value: unknown): value is Doc {
  return typeof value === 'object' && value !== null && !(value instanceof mongo.Binary) && !Array.isArray(value);
}

/** Initial document of an upsert with this filter. */
export function seedOf(filter: Doc): Doc {
  return Object.fromEntries(Object.entries(filter).filter(([, condition]) => !isOperators(condition)));
}

/** Applies operators, or stages that set members to the greatest of others. */
export function updated(document: Doc, update: Doc | readonly Doc[], inserting: boolean): Doc {
  const copy = clone(document);
  if (Array.isArray(update)) {
    for (const { $set } of update as { $set: Record<string, { $max: string[] }> }[]) {
      for (const [path, { $max }] of Object.entries($set)) {
        const values = $max
          .map((from) => valueAt(document, from.slice(1)))
          .filter((value) => value !== undefined && value !== null);
        setAt(
          copy,
          path,
          values.reduce((greatest, value) => (compare(value, greatest) > 0 ? value : greatest)),
        );
      }
    }
    return copy;
  }
  for (const [operator, members] of Object.entries(update)) {
    for (const [path, operand] of Object.entries(members as Doc)) {
      change(copy, operator, path, operand, inserting);
    }
  }
  return copy;
}

function change(document: Doc, operator: string, path: string, operand: unknown, inserting: boolean): void {
  const before = valueAt(document, path);
  switch (operator) {
    case '$inc':
      setAt(document, path, ((before as number | undefined) ?? 0) + (operand as number));
      break;
    case '$min':
    case '$max': {
      const wanted = operator === '$min' ? -1 : 1;
      if (before === undefined || Math.sign(compare(operand, before)) === wanted) {
        setAt(document, path, operand);
      }
      break;
    }
    case '$set':
      setAt(document, path, operand);
      break;
    case '$setOnInsert':
      if (inserting) {
        setAt(document, path, operand);
      }
      break;
    case '$unset':
      Reflect.deleteProperty(document, path);
      break;
    case '$addToSet': {
      const all = [...((before as unknown[] | undefined) ?? [])];
      const more = (operand as { $each: unknown[] }).$each.filter((each) => !all.includes(each));
      setAt(document, path, [...all, ...more]);
      break;
    }
    case '$pull': {
      if (before === undefined) break;
      const kept = (before as Doc[]).filter((each) => !matches(each, operand as Doc));
      setAt(document, path, kept);
      break;
    }
    case '$push': {
      const { $each, $slice } = operand as { $each: unknown[]; $slice: number };
      setAt(document, path, [...((before as unknown[] | undefined) ?? []), ...$each].slice($slice));
      break;
    }
    default:
      throw new Error(`the simulation does not know ${operator}`);
  }
}

/** Returns the members of a document that a projection names, or all. Knows `$binarySize` of a member. */
export function projected(document: Doc, projection: Doc): Doc {
  if (Object.keys(projection).length === 0) return clone(document);
  const members: Doc = { _id: clone(document._id) };
  for (const [path, wanted] of Object.entries(projection)) {
    const name = path.split('.')[0]!;
    if (isPlain(wanted)) members[name] = (document[String(wanted.$binarySize).slice(1)] as mongo.Binary).length();
    else if (name in document) members[name] = clone(document[name]);
  }
  return members;
}

export function valueAt(document: Doc, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isPlain(value) ? value[name] : undefined), document);
}

function setAt(document: Doc, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop()!;
  let at = document;
  for (const name of names) {
    at[name] ??= {};
    at = at[name] as Doc;
  }
  at[last] = clone(value);
}

export function clone<T>(value: T): T {
  if (Array.isArray(value)) {
    return value.map((each: unknown) => clone(each)) as T;
  }
  return isPlain(value)
    ? (Object.fromEntries(Object.entries(value).map(([key, each]) => [key, clone(each)])) as T)
    : value;
}

const ranks = ['undefined', 'null', 'number', 'string', 'object', 'array', 'binary', 'boolean'];

function rank(value: unknown): number {
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  return ranks.indexOf(value instanceof mongo.Binary ? 'binary' : kind);
}

/** Compares values in BSON order: kinds first, documents by member, binaries by length and then bytes. */
export function compare(a: unknown, b: unknown): number {
  if (rank(a) !== rank(b)) {
    return rank(a) - rank(b);
  }
  if (a instanceof mongo.Binary && b instanceof mongo.Binary) {
    return a.length() - b.length() || Buffer.compare(a.buffer, b.buffer);
  }
  if (isPlain(a) && isPlain(b)) {
    const [left, right] = [Object.entries(a), Object.entries(b)];
    for (const [index, [key, value]] of left.entries()) {
      const [otherKey, other] = right[index] ?? ['', undefined];
      const order =
        rank(value) - rank(other) || (key < otherKey ? -1 : Number(key > otherKey)) || compare(value, other);
      if (order !== 0) {
        return order;
      }
    }
    return left.length - right.length;
  }
  return (a as number) < (b as number) ? -1 : Number((a as number) > (b as number));
}

/** Selects the documents that match a filter. Documents named by `_id` are read without a search. */
export function select(documents: ReadonlyMap<string, Doc>, filter: Doc): Doc[] {
  const { _id } = filter;
  const named = isOperators(_id) ? (_id.$in as unknown[] | undefined) : _id === undefined ? undefined : [_id];
  const candidates =
    named === undefined ? [...documents.values()] : [...new Set(named.map(keyOf))].map((key) => documents.get(key));
  return candidates.filter((document) => document !== undefined).filter((document) => matches(document, filter));
}

/** Key of a document's `_id` in the maps. */
export function keyOf(id: unknown): string {
  return id instanceof mongo.Binary ? id.toString('hex') : String(id);
}
