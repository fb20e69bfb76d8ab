import { deflateRawSync } from 'node:zlib';
import {
  aligned,
  BLOCK_CHARACTERS,
  HEAD_NUMBERS,
  LINE_END,
  LIST_NUMBERS,
  LISTS,
  MAGIC,
  MAX_LINE_CHARACTERS,
  NONE,
  type ListName,
  type NumberList,
} from './map-layout.ts';
import { packSegments } from './packed-segments.ts';
import type { Segments } from './segments.ts';
import type { Texts } from './texts.ts';

/** Places of a minified file from which on another function runs, in order. Names are numbers of texts, or `NONE`. */
export interface FunctionPlaces {
  readonly lines: readonly number[];
  readonly columns: readonly number[];
  readonly names: readonly number[];
}

export interface MapContent {
  readonly segments: Segments;
  /** Null: the functions are not known. */
  readonly functions: FunctionPlaces | null;
  /** Texts that segments and functions refer to. */
  readonly texts: Texts;
  /** `isIgnored` absent: false. */
  readonly sources: readonly { readonly name: string; readonly content: string | null; readonly isIgnored?: boolean }[];
}

type Numbers = NumberList | readonly number[];

/** Writes the compact form of a source map. */
export function writeMap({ segments, functions, texts, sources }: MapContent): Uint8Array {
  const blocks = new Blocks();
  const sourceNames = sources.map(({ name }) => texts.numberOf(name));
  const sourceBlocks = sources.map(({ content }) => blocks.add(content));
  sourceBlocks.push(blocks.lines.length);
  const written = texts.list.map((text) => Buffer.from(text));
  const all: Record<ListName, Numbers> = {
    lineStarts: segments.lineStarts,
    ...packSegments(segments),
    scopeLines: functions?.lines ?? [],
    scopeColumns: functions?.columns ?? [],
    scopeNames: functions?.names ?? [],
    sourceNames,
    sourceBlocks,
    blockLines: blocks.lines,
    blockStarts: startsOf(blocks.parts),
    textStarts: startsOf(written),
  };
  const narrow = LISTS.map((name) => narrowest(all[name]));
  const headBytes = 4 * (HEAD_NUMBERS + LIST_NUMBERS * LISTS.length);
  const blockBytes = bytesOf(blocks.parts);
  const textBytes = bytesOf(written);
  const listBytes = narrow.reduce((sum, list) => sum + aligned(list.byteLength), 0);
  const marks = ignoreMarks(sources);
  const bytes = Buffer.alloc(headBytes + listBytes + aligned(blockBytes) + textBytes + marks.length);
  const head = [MAGIC, functions === null ? 0 : 1, blockBytes, textBytes];
  for (const list of narrow) head.push(list.length, list.BYTES_PER_ELEMENT);
  for (const [index, number] of head.entries()) bytes.writeUInt32LE(number, 4 * index);
  let at = headBytes;
  for (const list of narrow) {
    bytes.set(new Uint8Array(list.buffer, list.byteOffset, list.byteLength), at);
    at += aligned(list.byteLength);
  }
  for (const part of blocks.parts) at += part.copy(bytes, at);
  at = headBytes + listBytes + aligned(blockBytes);
  for (const text of written) at += text.copy(bytes, at);
  bytes.set(marks, at);
  return bytes;
}

/** Returns the end of the compact form: nothing where no source is to be ignored. */
function ignoreMarks(sources: MapContent['sources']): Uint8Array {
  const marks = Uint8Array.from(sources, ({ isIgnored }) => (isIgnored === true ? 1 : 0));
  return marks.includes(1) ? marks : new Uint8Array();
}

/** Half the time of the defaults, for some percent more bytes. The window holds a block of one byte a character. */
const DEFLATE = { level: 3, windowBits: 14 } as const;

/** Lines of sources, compressed in blocks. */
class Blocks {
  /** First line of each block within its source. */
  readonly lines: number[] = [];
  readonly parts: Buffer[] = [];

  /** Adds the lines of a source; returns the number of its first block. */
  add(content: string | null): number {
    const first = this.lines.length;
    if (content === null) return first;
    let block: string[] = [];
    let characters = 0;
    let firstLine = 0;
    const all = content.split(LINE_END);
    // The end of the last line begins no other.
    if (all.length > 1 && all.at(-1) === '') all.pop();
    for (const whole of all) {
      const line = whole.length > MAX_LINE_CHARACTERS ? whole.slice(0, MAX_LINE_CHARACTERS) : whole;
      block.push(line);
      characters += line.length + 1;
      if (characters < BLOCK_CHARACTERS) continue;
      this.#addBlock(firstLine, block);
      firstLine += block.length;
      block = [];
      characters = 0;
    }
    if (block.length > 0) this.#addBlock(firstLine, block);
    return first;
  }

  #addBlock(firstLine: number, lines: readonly string[]): void {
    this.lines.push(firstLine);
    this.parts.push(deflateRawSync(lines.join('\n'), DEFLATE));
  }
}

function startsOf(parts: readonly Buffer[]): number[] {
  const starts = [0];
  let end = 0;
  for (const part of parts) starts.push((end += part.length));
  return starts;
}

const bytesOf = (parts: readonly Buffer[]): number => parts.reduce((sum, part) => sum + part.length, 0);

/** Returns the list in the smallest width, to which `NONE` is cut: it becomes the greatest number of the width. */
function narrowest(numbers: Numbers): NumberList {
  if (numbers instanceof Uint8Array) return numbers;
  let greatest = 0;
  for (let at = 0; at < numbers.length; at += 1) {
    const number = numbers[at] ?? 0;
    if (number !== NONE && number > greatest) greatest = number;
  }
  // Constructors convert lists many times faster than `from`.
  if (greatest < 0xff) return new Uint8Array(numbers);
  return greatest < 0xffff ? new Uint16Array(numbers) : new Uint32Array(numbers);
}
