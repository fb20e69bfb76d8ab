import type { TagSpread } from '../../domain/errors/tracked-error.ts';
import { MAX_TAG_KEYS, maxValuesOf } from '../search/tag-bounds.ts';

/** Merges the tags of several errors within the same bounds; the excess is in `other`. */
export function mergeTagSpreads(spreads: readonly (readonly TagSpread[])[]): TagSpread[] {
  const [only] = spreads;
  if (only !== undefined && spreads.length === 1) {
    return [...only];
  }
  const keys = new Map<string, { total: number; values: Map<string, number> }>();
  for (const { key, total, values } of spreads.flat()) {
    const sum = keys.get(key) ?? { total: 0, values: new Map<string, number>() };
    keys.set(key, sum);
    sum.total += total;
    for (const { value, count } of values) {
      sum.values.set(value, (sum.values.get(value) ?? 0) + count);
    }
  }
  return [...keys]
    .map(([key, { total, values }]) => bounded(key, total, values))
    .sort((a, b) => b.total - a.total || byText(a.key, b.key))
    .slice(0, MAX_TAG_KEYS);
}

function bounded(key: string, total: number, counts: ReadonlyMap<string, number>): TagSpread {
  const values = [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || byText(a.value, b.value))
    .slice(0, maxValuesOf(key));
  return { key, total, values, other: total - values.reduce((sum, { count }) => sum + count, 0) };
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
