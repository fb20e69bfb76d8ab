import { inflateRawSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { SegmentFinder } from './find-segment.ts';
import { firstAbove, MAX_BLOCK_BYTES, referenceAt } from './map-layout.ts';
import { openLists, type CommonLists } from './open-lists.ts';

/** Place in an original file. */
export interface OriginalPlace {
  /** Number of the source, for `sourceName` and `linesAround`. */
  readonly source: number;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** Name that the map gives the place: of what is called there, not of the function around it. */
  readonly callee: string | null;
}

/** Line of a source with the lines around it. */
export interface LinesAround {
  readonly before: readonly string[];
  readonly line: string;
  readonly after: readonly string[];
}

/** Inflated blocks that one map keeps: those of an event whose frames are all in it, up to two each. */
const KEPT_BLOCKS = 100;
/** Bytes of an inflated block with its lines, at most for text of one byte a character. */
const BLOCK_BYTES = 32 * 1024;

/** Reads the compact form of a source map, which `indexSourceMap` makes. */
export class MapIndex {
  /** Bytes of memory that it takes, at most. */
  readonly memoryBytes: number;
  /** True: the functions of the minified file are known. */
  readonly knowsFunctions: boolean;
  readonly #lists: CommonLists;
  readonly #segments: SegmentFinder;
  readonly #blocks: Uint8Array;
  readonly #texts: Buffer;
  /** 1 for each source that is to be ignored; empty: none is. */
  readonly #ignored: Uint8Array;
  readonly #inflated = new LRUCache<number, readonly string[]>({ max: KEPT_BLOCKS });

  /** Throws for bytes that are no compact form of a version that can be read. */
  constructor(bytes: Uint8Array) {
    const { lists, segments, knowsFunctions, blocks, texts, ignored } = openLists(bytes);
    this.knowsFunctions = knowsFunctions;
    this.#lists = lists;
    this.#segments = segments;
    this.#blocks = blocks;
    this.#texts = texts;
    this.#ignored = ignored;
    this.memoryBytes = bytes.length + Math.min(KEPT_BLOCKS, lists.blockLines.length) * BLOCK_BYTES;
  }

  /**
   * Returns the original place of a place in the minified file; line and column from 1. The mapping at the column, else
   * the last one before it on the line. A sentence without a period: why there is none.
   */
  placeOf(line: number, column: number): OriginalPlace | string {
    const { lineStarts } = this.#lists;
    if (line < 1 || line >= lineStarts.length) {
      return `the map has ${lineStarts.length - 1} lines, the frame is in line ${line}`;
    }
    const found = this.#segments.find(lineStarts[line - 1] ?? 0, lineStarts[line] ?? 0, Math.max(0, column - 1));
    if (found === null) return `the map has no place for line ${line}, column ${column}`;
    if (found.source === null) return `line ${line}, column ${column} is code that the build added`;
    return {
      source: found.source,
      line: found.line + 1,
      column: found.column + 1,
      callee: found.name === null ? null : this.#text(found.name),
    };
  }

  /** Returns the original name of the function around a place in the minified file; null: it has none, or is not known. */
  functionAt(line: number, column: number): string | null {
    const { scopeLines, scopeColumns, scopeNames } = this.#lists;
    let low = firstAbove(scopeLines, 0, scopeLines.length, line - 2);
    const high = firstAbove(scopeLines, low, scopeLines.length, line - 1);
    low = firstAbove(scopeColumns, low, high, Math.max(0, column - 1));
    const name = low === 0 ? null : referenceAt(scopeNames, low - 1);
    return name === null ? null : this.#text(name);
  }

  /** Returns the name of a source as the map gives it. */
  sourceName(source: number): string {
    return this.#text(this.#lists.sourceNames[source] ?? 0);
  }

  /** Whether the map says that debuggers are to skip a source. */
  isIgnored(source: number): boolean {
    return this.#ignored[source] === 1;
  }

  /** Returns the number of the source with a name, where sources are in the order of their names; null: there is none. */
  sourceNamed(name: string): number | null {
    let low = 0;
    let high = this.#lists.sourceNames.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const found = this.sourceName(middle);
      if (found === name) return middle;
      if (found < name) low = middle + 1;
      else high = middle;
    }
    return null;
  }

  /** Returns all lines of a source. */
  linesOf(source: number): readonly string[] {
    const { sourceBlocks } = this.#lists;
    const lines: string[] = [];
    const end = sourceBlocks[source + 1] ?? 0;
    for (let block = sourceBlocks[source] ?? 0; block < end; block += 1) lines.push(...this.#linesOf(block));
    return lines;
  }

  /** Returns a line of a source, from 1, with up to `around` lines before and after it; null: the map does not have it. */
  linesAround(source: number, line: number, around: number): LinesAround | null {
    const { sourceBlocks, blockLines } = this.#lists;
    const end = sourceBlocks[source + 1] ?? 0;
    const first = Math.max(1, line - around);
    let block = firstAbove(blockLines, sourceBlocks[source] ?? 0, end, first - 1) - 1;
    if (block < (sourceBlocks[source] ?? 0)) return null;
    const start = blockLines[block] ?? 0;
    let lines = this.#linesOf(block);
    // The lines after a place are in the next block when it is near the end of its own.
    for (block += 1; block < end && start + lines.length < line + around; block += 1) {
      lines = [...lines, ...this.#linesOf(block)];
    }
    const at = line - 1 - start;
    const own = lines[at];
    if (own === undefined) return null;
    return { before: lines.slice(first - 1 - start, at), line: own, after: lines.slice(at + 1, at + 1 + around) };
  }

  #linesOf(block: number): readonly string[] {
    let lines = this.#inflated.get(block);
    if (lines === undefined) {
      const { blockStarts } = this.#lists;
      const bytes = this.#blocks.subarray(blockStarts[block], blockStarts[block + 1]);
      lines = inflateRawSync(bytes, { maxOutputLength: MAX_BLOCK_BYTES }).toString('utf8').split('\n');
      this.#inflated.set(block, lines);
    }
    return lines;
  }

  #text(index: number): string {
    const { textStarts } = this.#lists;
    return this.#texts.toString('utf8', textStarts[index], textStarts[index + 1]);
  }
}
