import type { FoundSegment, SegmentFinder } from './find-segment.ts';
import { firstAbove, NONE, PACKED_SEGMENTS, type NumberLists } from './map-layout.ts';
import type { Segments } from './segments.ts';

/** Packs of segments, as the compact form has them. */
export type Packs = Pick<NumberLists, 'packs' | 'packStarts' | 'packColumns'>;

/**
 * What a segment has, in the two lowest bits of its first number. The other bits are its columns since the segment
 * before; since the start of the line or pack in the first one there. All other numbers count since the segment before
 * in the pack that has a source.
 */
const KIND = {
  /** No source. */
  added: 0,
  /** The source of the segment before, its line and column. */
  unnamed: 1,
  /** The same, and a name. */
  named: 2,
  /** Another source, its line and column, and 0, or one more than the number of a name. */
  moved: 3,
} as const;
const KINDS = 4;

/**
 * Packs segments: a large map takes some 4 bytes for each of them, where lists take 10 to 20. A pack is read without the
 * others.
 */
export function packSegments(segments: Segments): Packs {
  const { lineStarts, columns, sources, originalLines, originalColumns, names } = segments;
  const packs = Math.ceil(columns.length / PACKED_SEGMENTS);
  const packStarts = new Uint32Array(packs + 1);
  const packColumns = new Uint32Array(packs);
  const bytes = new NumberBytes(4 * columns.length);
  let line = 0;
  let [column, source, originalLine, originalColumn, name] = [0, 0, 0, 0, 0];
  for (let at = 0; at < columns.length; at += 1) {
    const own = columns[at] ?? 0;
    if (at % PACKED_SEGMENTS === 0) {
      packStarts[at / PACKED_SEGMENTS] = bytes.length;
      packColumns[at / PACKED_SEGMENTS] = own;
      column = source = originalLine = originalColumn = name = 0;
    }
    while ((lineStarts[line] ?? NONE) < at) line += 1;
    if (lineStarts[line] === at) column = 0;
    const ownSource = sources[at] ?? NONE;
    const ownName = names[at] ?? NONE;
    const kind = kindOf(ownSource, source, ownName);
    bytes.add((own - column) * KINDS + kind);
    column = own;
    if (kind === KIND.added) continue;
    if (kind === KIND.moved) bytes.add(unsigned(ownSource - source));
    bytes.add(unsigned((originalLines[at] ?? 0) - originalLine));
    bytes.add(unsigned((originalColumns[at] ?? 0) - originalColumn));
    if (kind === KIND.named) bytes.add(unsigned(ownName - name));
    if (kind === KIND.moved) bytes.add(ownName === NONE ? 0 : unsigned(ownName - name) + 1);
    source = ownSource;
    originalLine = originalLines[at] ?? 0;
    originalColumn = originalColumns[at] ?? 0;
    if (ownName !== NONE) name = ownName;
  }
  packStarts[packs] = bytes.length;
  return { packs: bytes.finish(), packStarts, packColumns };
}

function kindOf(own: number, source: number, name: number): number {
  if (own === NONE) return KIND.added;
  if (own !== source) return KIND.moved;
  return name === NONE ? KIND.unnamed : KIND.named;
}

/** Returns a number without a sign, which is small where the number is near 0. */
const unsigned = (number: number): number => (number < 0 ? -2 * number - 1 : 2 * number);
const signed = (number: number): number => (number % 2 === 0 ? number / 2 : -(number + 1) / 2);

/** Bits of a number in one byte, and the mark that another byte follows. */
const BYTE_BITS = 7;
const CONTINUED = 1 << BYTE_BITS;
/** Bytes of the largest number. */
const MAX_NUMBER_BYTES = 8;

/** Bytes of numbers, the lowest bits first. */
class NumberBytes {
  length = 0;
  #bytes: Uint8Array;

  constructor(expected: number) {
    this.#bytes = new Uint8Array(expected + MAX_NUMBER_BYTES);
  }

  add(number: number): void {
    if (this.length + MAX_NUMBER_BYTES > this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#bytes.length);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    const bytes = this.#bytes;
    let at = this.length;
    let rest = number;
    while (rest >= CONTINUED) {
      bytes[at++] = (rest % CONTINUED) + CONTINUED;
      rest = Math.floor(rest / CONTINUED);
    }
    bytes[at++] = rest;
    this.length = at;
  }

  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }
}

/** Finds segments in packs. */
export class PackedSegments implements SegmentFinder {
  readonly #lists: Packs;

  constructor(lists: Packs) {
    this.#lists = lists;
  }

  find(from: number, to: number, column: number): FoundSegment | null {
    if (from >= to) return null;
    const { packColumns } = this.#lists;
    const first = Math.floor(from / PACKED_SEGMENTS);
    const end = Math.ceil(to / PACKED_SEGMENTS);
    // Packs behind the first one begin within the line: the last of those below the column has the place.
    const next = firstAbove(packColumns, first + 1, end, column - 1);
    const isFirstOfNext = next < end && packColumns[next] === column;
    return this.#findIn(isFirstOfNext ? next : next - 1, from, to, column);
  }

  #findIn(pack: number, from: number, to: number, wanted: number): FoundSegment | null {
    const { packs, packStarts } = this.#lists;
    const numbers = new NumberReader(packs, packStarts[pack] ?? 0);
    const start = pack * PACKED_SEGMENTS;
    const end = Math.min(to, start + PACKED_SEGMENTS);
    let [column, source, line, originalColumn, name] = [0, 0, 0, 0, 0];
    let kind: number = KIND.added;
    let isNamed = false;
    let isFound = false;
    for (let at = start; at < end; at += 1) {
      const head = numbers.next();
      column = (at === from ? 0 : column) + Math.floor(head / KINDS);
      if (at >= from && column > wanted) break;
      kind = head % KINDS;
      isNamed = kind === KIND.named;
      if (kind !== KIND.added) {
        if (kind === KIND.moved) source += signed(numbers.next());
        line += signed(numbers.next());
        originalColumn += signed(numbers.next());
        if (kind === KIND.named) name += signed(numbers.next());
        if (kind === KIND.moved) {
          const more = numbers.next();
          isNamed = more > 0;
          if (isNamed) name += signed(more - 1);
        }
      }
      isFound = at >= from;
      if (isFound && column === wanted) break;
    }
    // The numbers of a segment behind the place were not read: these are of the one that was found.
    if (!isFound) return null;
    return { source: kind === KIND.added ? null : source, line, column: originalColumn, name: isNamed ? name : null };
  }
}

/** Reads numbers that `GrowingBytes` has written. */
class NumberReader {
  readonly #bytes: ArrayLike<number>;
  #at: number;

  constructor(bytes: ArrayLike<number>, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  next(): number {
    let number = 0;
    let factor = 1;
    for (;;) {
      const byte = this.#bytes[this.#at] ?? 0;
      this.#at += 1;
      if (byte < CONTINUED) return number + byte * factor;
      number += (byte - CONTINUED) * factor;
      factor *= CONTINUED;
    }
  }
}
