import { LONG_TOKEN_REACH, LONG_TOKEN_RUNS } from './token-patterns.ts';

/** Range in which long tokens can begin: offsets into a text, both inclusive. */
export interface Zone {
  readonly from: number;
  readonly to: number;
}

/**
 * Finds the zones of a text, in order. Without them the pattern would read to the end of a run from each offset, in
 * quadratic time.
 */
export function longTokenZones(text: string): readonly Zone[] {
  const zones: Zone[] = [];
  for (const run of LONG_TOKEN_RUNS) {
    for (const { 0: found, index } of text.matchAll(run)) {
      const end = index + found.length;
      zones.push({ from: Math.max(index, end - LONG_TOKEN_REACH), to: end });
    }
  }
  return zones.sort((a, b) => a.from - b.from);
}

/** Returns the first offset from `from` to `to` in a zone where the sticky pattern matches; null when none does. */
export function firstMatchIn(
  zones: readonly Zone[],
  pattern: RegExp,
  text: string,
  from: number,
  to: number,
): number | null {
  let next = from;
  for (const zone of zones) {
    if (zone.from > to) break;
    for (next = Math.max(next, zone.from); next <= Math.min(zone.to, to); next += 1) {
      pattern.lastIndex = next;
      if (pattern.test(text)) return next;
    }
  }
  return null;
}
