/** Mark on a time axis. */
export interface TimeMark {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly label: string;
}

/** Mark within a chart. */
export interface PlacedMark {
  /** Percent of the width. */
  readonly x: number;
  readonly name: string;
  /** Side of the line on which the name is written; null: there is no room for it. */
  readonly side: 'left' | 'right' | null;
}

/** Share of the width that is kept for a name, in percent. */
const NAME_WIDTH = 15;

/**
 * Places the marks of a chart, oldest first; leaves out those outside of it. Names the newest first: it explains a rise
 * most often. `start` and `span`: of the chart, in milliseconds.
 */
export function placeMarks(marks: readonly TimeMark[], start: number, span: number): PlacedMark[] {
  const taken: (readonly [from: number, to: number])[] = [];
  const takes = (from: number, to: number): boolean => {
    const isFree = from >= 0 && to <= 100 && taken.every(([start, end]) => to <= start || from >= end);
    if (isFree) taken.push([from, to]);
    return isFree;
  };
  const sideOf = (x: number): PlacedMark['side'] => {
    if (takes(x, x + NAME_WIDTH)) return 'right';
    return takes(x - NAME_WIDTH, x) ? 'left' : null;
  };
  return marks
    .filter(({ at }) => at >= start && at < start + span)
    .sort((a, b) => b.at - a.at)
    .map(({ at, label: name }) => {
      const x = ((at - start) / span) * 100;
      return { x, name, side: sideOf(x) };
    })
    .reverse();
}
