import type { FoundSegment, SegmentFinder } from './find-segment.ts';
import { firstAbove, referenceAt, type NumberLists1 } from './map-layout.ts';

/** Finds segments in compact forms of the first version, which have a list for each member. */
export class ListedSegments implements SegmentFinder {
  readonly #lists: NumberLists1;

  constructor(lists: NumberLists1) {
    this.#lists = lists;
  }

  find(from: number, to: number, column: number): FoundSegment | null {
    const { columns, sources, originalLines, originalColumns, names } = this.#lists;
    let at = firstAbove(columns, from, to, column) - 1;
    if (at < from) return null;
    while (at > from && columns[at] === column && columns[at - 1] === column) at -= 1;
    return {
      source: referenceAt(sources, at),
      line: originalLines[at] ?? 0,
      column: originalColumns[at] ?? 0,
      name: referenceAt(names, at),
    };
  }
}
