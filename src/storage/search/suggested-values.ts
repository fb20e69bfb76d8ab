import { MAX_FILTER_VALUES } from '../../domain/search/error-query.ts';

/** Name with a version after a space (`Firefox 140`), or letters with one at their end (`iPhone14,2`). */
const VERSIONED = /^(?:(.*\S) |(\p{L}[\p{L} ]*\p{L}))\d\S*$/u;

/** Sorts by code units, the same in both stores. */
function sorted(values: Iterable<string>): string[] {
  return [...new Set(values)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

/**
 * Returns values that begin with a prefix in any case, by name; at most MAX_FILTER_VALUES. `names`: names without their
 * version come first, as `Firefox` of `Firefox 140`.
 */
export function suggestedValues(values: readonly string[], prefix: string, names: boolean): string[] {
  const start = prefix.toLowerCase();
  const fits = (value: string) => value !== '' && value.toLowerCase().startsWith(start);
  const products = values.flatMap((value) => {
    const [, spaced, joined] = VERSIONED.exec(value) ?? [];
    return spaced ?? joined ?? [];
  });
  const first = names ? sorted(products.filter(fits)) : [];
  return [...new Set([...first, ...sorted(values.filter(fits))])].slice(0, MAX_FILTER_VALUES);
}
