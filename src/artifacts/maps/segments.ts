import { NONE } from './map-layout.ts';
import { type MapPart, UnusableMap } from './parse-map.ts';
import { COMMA, NO_SEGMENTS, SEMICOLON, VlqReader } from './vlq-reader.ts';
import type { Texts } from './texts.ts';

/** Segments of a map: five lists of this length, 100 MB. */
const MAX_SEGMENTS = 5_000_000;
/** A wrong map may name any line; this is far above generated files. */
const MAX_LINES = 5_000_000;

/** Segments of a map by their generated place. References are `NONE` where there is none, or a wrong one. */
export interface Segments {
  readonly lineStarts: readonly number[];
  readonly columns: Uint32Array;
  readonly sources: Uint32Array;
  readonly originalLines: Uint32Array;
  readonly originalColumns: Uint32Array;
  readonly names: Uint32Array;
}

/**
 * Decodes the mappings of all parts. Throws `UnusableMap`.
 *
 * Libraries make a list of each segment, which takes some 90 bytes; that of a large map would be most of the memory of
 * the worker. These lists take 20.
 */
export function decodeSegments(parts: readonly MapPart[], texts: Texts): Segments {
  const most = parts.reduce((sum, { mappings }) => sum + countSegments(mappings), 0);
  if (most > MAX_SEGMENTS) throw new UnusableMap(`the source map has more than ${MAX_SEGMENTS} segments`);
  const segments = new GrowingSegments(most);
  let firstSource = 0;
  for (const [index, part] of parts.entries()) {
    segments.add(part, parts[index + 1], firstSource, texts);
    firstSource += part.sources.length;
  }
  return segments.finish();
}

function countSegments(mappings: string): number {
  let count = 1;
  for (let at = 0; at < mappings.length; at += 1) {
    const code = mappings.charCodeAt(at);
    if (code === COMMA || code === SEMICOLON) count += 1;
  }
  return count;
}

class GrowingSegments {
  readonly #columns: Uint32Array;
  readonly #sources: Uint32Array;
  readonly #originalLines: Uint32Array;
  readonly #originalColumns: Uint32Array;
  readonly #names: Uint32Array;
  readonly #lineStarts: number[] = [0];
  #length = 0;
  /** False where a segment has a lower column than the one before it on the line. */
  #sorted = true;

  constructor(most: number) {
    this.#columns = new Uint32Array(most);
    this.#sources = new Uint32Array(most);
    this.#originalLines = new Uint32Array(most);
    this.#originalColumns = new Uint32Array(most);
    this.#names = new Uint32Array(most);
  }

  /** Adds the segments of a part up to where the next one begins. */
  add(part: MapPart, next: MapPart | undefined, firstSource: number, texts: Texts): void {
    if (next !== undefined && (next.line < part.line || (next.line === part.line && next.column < part.column))) {
      throw new UnusableMap('the sections of the source map are not in order');
    }
    const nameNumbers = part.names.map((name) => texts.numberOf(name));
    const reader = new VlqReader(part.mappings);
    let line = part.line;
    let [column, source, originalLine, originalColumn, name] = [part.column, 0, 0, 0, 0];
    while (!reader.isDone) {
      if (reader.takes(SEMICOLON)) {
        line += 1;
        column = 0;
        continue;
      }
      if (reader.takes(COMMA)) continue;
      column += reader.number();
      let reference = NONE;
      let nameNumber = NONE;
      if (reader.hasMore()) {
        source += reader.number();
        originalLine += reader.number();
        originalColumn += reader.number();
        if (source >= 0 && source < part.sources.length && originalLine >= 0 && originalColumn >= 0) {
          reference = firstSource + source;
        }
        if (reader.hasMore()) {
          name += reader.number();
          nameNumber = nameNumbers[name] ?? NONE;
          if (reader.hasMore()) throw new UnusableMap(NO_SEGMENTS);
        }
      }
      if (next !== undefined && (line > next.line || (line === next.line && column >= next.column))) continue;
      this.#begin(line);
      this.#push(column, reference, originalLine, originalColumn, nameNumber);
    }
  }

  finish(): Segments {
    this.#lineStarts.push(this.#length);
    const segments = {
      lineStarts: this.#lineStarts,
      columns: this.#columns.subarray(0, this.#length),
      sources: this.#sources.subarray(0, this.#length),
      originalLines: this.#originalLines.subarray(0, this.#length),
      originalColumns: this.#originalColumns.subarray(0, this.#length),
      names: this.#names.subarray(0, this.#length),
    };
    if (!this.#sorted) sortLines(segments);
    return segments;
  }

  /** Begins the lines up to this one. */
  #begin(line: number): void {
    if (line >= MAX_LINES) throw new UnusableMap(`the source map has more than ${MAX_LINES} lines`);
    while (this.#lineStarts.length <= line) this.#lineStarts.push(this.#length);
  }

  #push(column: number, source: number, originalLine: number, originalColumn: number, name: number): void {
    const at = this.#length;
    const isFirst = at === this.#lineStarts.at(-1);
    if (column < 0) return;
    if (!isFirst && column < (this.#columns[at - 1] ?? 0)) this.#sorted = false;
    this.#length = at + 1;
    this.#columns[at] = column;
    this.#sources[at] = source;
    this.#originalLines[at] = source === NONE ? 0 : originalLine;
    this.#originalColumns[at] = source === NONE ? 0 : originalColumn;
    this.#names[at] = source === NONE ? NONE : name;
  }
}

/** Puts the segments of each line in the order of their columns. */
function sortLines(segments: Segments): void {
  const { lineStarts, columns } = segments;
  const lists = [columns, segments.sources, segments.originalLines, segments.originalColumns, segments.names];
  for (let line = 0; line + 1 < lineStarts.length; line += 1) {
    const from = lineStarts[line] ?? 0;
    const to = lineStarts[line + 1] ?? 0;
    const order = Uint32Array.from({ length: to - from }, (_, index) => from + index);
    if (order.every((at) => at === from || (columns[at - 1] ?? 0) <= (columns[at] ?? 0))) continue;
    order.sort((a, b) => (columns[a] ?? 0) - (columns[b] ?? 0) || a - b);
    for (const list of lists)
      list.set(
        order.map((at) => list[at] ?? 0),
        from,
      );
  }
}
