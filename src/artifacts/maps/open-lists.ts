import type { SegmentFinder } from './find-segment.ts';
import { ListedSegments } from './listed-segments.ts';
import {
  aligned,
  HEAD_NUMBERS,
  LIST_NUMBERS,
  LISTS,
  LISTS_1,
  MAGIC,
  MAGIC_1,
  type ListName,
  type ListName1,
  type NumberList,
  type NumberLists,
} from './map-layout.ts';
import { PackedSegments } from './packed-segments.ts';

/** Lists that the compact form has in all versions. */
export type CommonLists = Pick<NumberLists, ListName & ListName1>;

/** Opened compact form. */
export interface OpenedLists {
  readonly lists: CommonLists;
  readonly segments: SegmentFinder;
  /** True: the functions of the minified file are known. */
  readonly knowsFunctions: boolean;
  /** Bytes of compressed blocks, and of texts. */
  readonly blocks: Uint8Array;
  readonly texts: Buffer;
  /** 1 for each source that is to be ignored, else 0; empty: none is. */
  readonly ignored: Uint8Array;
}

/** Opens the lists of a compact form. Throws for bytes that are none of a version that can be read. */
export function openLists(bytes: Uint8Array): OpenedLists {
  // Lists need memory at a multiple of 4.
  const own = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  requireBytes(own, 4 * HEAD_NUMBERS);
  const [magic] = new Uint32Array(own.buffer, own.byteOffset, HEAD_NUMBERS);
  if (magic === MAGIC) {
    const { lists, ...content } = listsIn(own, LISTS);
    return { ...content, lists, segments: new PackedSegments(lists) };
  }
  if (magic === MAGIC_1) {
    const { lists, ...content } = listsIn(own, LISTS_1);
    return { ...content, lists, segments: new ListedSegments(lists) };
  }
  throw new Error('these bytes are no compact form of a source map');
}

function listsIn<N extends ListName | ListName1>(bytes: Uint8Array, names: readonly N[]) {
  const headBytes = 4 * (HEAD_NUMBERS + LIST_NUMBERS * names.length);
  requireBytes(bytes, headBytes);
  const head = new Uint32Array(bytes.buffer, bytes.byteOffset, headBytes / 4);
  const lists: Partial<Record<N, NumberList>> = {};
  let at = headBytes;
  for (const [index, name] of names.entries()) {
    const [length = 0, width = 0] = head.subarray(HEAD_NUMBERS + LIST_NUMBERS * index);
    requireBytes(bytes, at + length * width);
    lists[name] = listOf(bytes, at, length, width);
    at += aligned(length * width);
  }
  const [, functions = 0, blockBytes = 0, textBytes = 0] = head;
  const textsAt = at + aligned(blockBytes);
  requireBytes(bytes, textsAt + textBytes);
  const ignored = bytes.subarray(textsAt + textBytes);
  const all = lists as Record<N, NumberList> & Pick<CommonLists, 'sourceNames'>;
  if (ignored.length > 0) requireBytes(ignored, all.sourceNames.length);
  return {
    lists: all,
    knowsFunctions: functions === 1,
    blocks: bytes.subarray(at, at + blockBytes),
    texts: Buffer.from(bytes.buffer, bytes.byteOffset + textsAt, textBytes),
    ignored,
  };
}

function requireBytes(bytes: Uint8Array, length: number): void {
  if (bytes.length < length) throw new Error('the compact form of a source map is cut short');
}

function listOf(bytes: Uint8Array, at: number, length: number, width: number): NumberList {
  const start = bytes.byteOffset + at;
  if (width === 1) return new Uint8Array(bytes.buffer, start, length);
  if (width === 2) return new Uint16Array(bytes.buffer, start, length);
  return new Uint32Array(bytes.buffer, start, length);
}
