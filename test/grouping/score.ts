import type { Pair, RawEvent } from './pair.ts';

export interface Score {
  readonly pairs: number;
  /** Of the pairs that were grouped, the share that is one error. */
  readonly precision: number;
  /** Of the pairs that are one error, the share that was grouped. */
  readonly recall: number;
  /** Names of the pairs on which the rules and the person disagree. */
  readonly wrong: readonly string[];
}

/** What the rules make of the pairs; `keyOf` gives the grouping key of an event. */
export function scoreOf(pairs: readonly Pair[], keyOf: (event: RawEvent) => string): Score {
  const judged = pairs.map((pair) => ({ ...pair, grouped: keyOf(pair.first) === keyOf(pair.second) }));
  const grouped = judged.filter((pair) => pair.grouped);
  const alike = judged.filter((pair) => pair.same);
  const right = alike.filter((pair) => pair.grouped).length;
  return {
    pairs: pairs.length,
    precision: grouped.length === 0 ? 1 : right / grouped.length,
    recall: alike.length === 0 ? 1 : right / alike.length,
    wrong: judged
      .filter((pair) => pair.grouped !== pair.same)
      .map(({ name, same }) => `${name}: ${same ? 'one error, was split' : 'two errors, were joined'}`),
  };
}
