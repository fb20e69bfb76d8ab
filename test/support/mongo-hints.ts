import { isDeepStrictEqual } from 'node:util';
import type { mongo } from 'mongoose';
import type { SentQuery } from './mongo-commands.ts';

type Filter = Readonly<Record<string, unknown>>;

/**
 * Returns what is wrong with the hint of a query; null: nothing, or it has none. A server refuses a hint without an
 * index of that key, and one on a partial index whose condition the filter does not imply.
 */
export function hintProblem(
  { hint, lookup }: SentQuery,
  indexes: readonly Pick<mongo.IndexDescription, 'key' | 'partialFilterExpression'>[],
): string | null {
  if (hint === null) return null;
  const asked = members(hint);
  const index = indexes.find(({ key }) => isDeepStrictEqual(members(key), asked));
  if (index === undefined) return 'no index has this key';
  const [first] = (lookup?.['pipeline'] ?? []) as { readonly $match?: Filter }[];
  const all = conditionsOf(first?.$match ?? (lookup?.['filter'] as Filter | undefined) ?? {});
  const missing = Object.entries(index.partialFilterExpression ?? {}).filter(
    ([member, wanted]) => !all.some(([path, given]) => path === member && implies(given, wanted as Filter)),
  );
  return missing.length === 0 ? null : `the filter does not imply ${JSON.stringify(Object.fromEntries(missing))}`;
}

function members(key: unknown): [string, unknown][] {
  return key instanceof Map ? [...(key as Map<string, unknown>)] : Object.entries(key as Filter);
}

/** Returns the conditions that must all hold. */
function conditionsOf(filter: Filter): [path: string, given: unknown][] {
  return Object.entries(filter).flatMap(([path, given]) =>
    path === '$and' ? (given as Filter[]).flatMap(conditionsOf) : [[path, given]],
  );
}

/** Whether each value that fulfils `given` fulfils `wanted`, as far as servers see it: exists, or beyond a bound. */
function implies(given: unknown, wanted: Filter): boolean {
  const operators = isOperators(given) ? given : { $eq: given };
  return Object.entries(wanted).every(([operator, bound]) => {
    if (operator === '$exists') return values(operators).length > 0 && values(operators).every((each) => each !== null);
    const beyond = (value: unknown, alike: boolean) =>
      typeof value === typeof bound && ((value as number) > (bound as number) || (alike && value === bound));
    const { $eq, $in, $gt, $gte } = operators;
    const alike = operator === '$gte';
    return (
      beyond($eq, alike) ||
      beyond($gt, true) ||
      beyond($gte, alike) ||
      (Array.isArray($in) && $in.length > 0 && $in.every((each) => beyond(each, alike)))
    );
  });
}

function values({ $exists, $in, ...others }: Filter): unknown[] {
  const listed = Array.isArray($in) ? ($in as unknown[]) : [];
  return [...($exists === true ? [true] : []), ...listed, ...Object.values(others)];
}

function isOperators(given: unknown): given is Filter {
  return typeof given === 'object' && given !== null && !('_bsontype' in given) && Object.keys(given)[0]?.[0] === '$';
}
