/** Segment of a map as look-ups need it. Lines and columns from 0. */
export interface FoundSegment {
  /** Null: code that the build added. */
  readonly source: number | null;
  readonly line: number;
  readonly column: number;
  /** Number of its text; null: the map gives none. */
  readonly name: number | null;
}

/** Segments of a map by their numbers. */
export interface SegmentFinder {
  /**
   * Returns the segment at a column, from 0, of a line that has the segments `from` to before `to`; else the last one
   * before the column. Of several at the very column the first counts, of several before it the last. Null: there is none.
   */
  find(from: number, to: number, column: number): FoundSegment | null;
}
