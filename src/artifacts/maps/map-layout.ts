/**
 * Layout of the compact form of a source map: numbers of 32 bits, little endian, then lists that begin at multiples of
 * 4. A list of numbers takes the smallest width that holds its greatest number. Nothing is parsed to open it. After the
 * lists come blocks of lines, and texts. Where the map says to ignore sources, a byte for each source is at the end, of
 * which 1 means ignored. Programs that do not know the end read the rest.
 */

/** Mark in lists that refer to a source or a name: none. It is the greatest number of the width of the list. */
export const NONE = 0xffffffff;

/** Lists of all versions. */
const COMMON_LISTS = [
  /** Of each place from which on a function runs, by place: generated line and column, name of the function. */
  'scopeLines',
  'scopeColumns',
  'scopeNames',
  /** Of each source: its name, and the first of its blocks of lines; with the number of blocks at the end. */
  'sourceNames',
  'sourceBlocks',
  /** Of each block: its first line within the source, and its start among the bytes of blocks, with their end. */
  'blockLines',
  'blockStarts',
  /** Start of each text among the bytes of texts, with their end. */
  'textStarts',
] as const;

/** Lists in the order of the compact form. */
export const LISTS = [
  /** First segment of each generated line, and their number at the end. */
  'lineStarts',
  /** Segments in packs, and of each pack: its start among them, with their end, and its first generated column. */
  'packs',
  'packStarts',
  'packColumns',
  ...COMMON_LISTS,
] as const;

/** Lists of the first version, whose files stay readable: a list for each member of a segment. */
export const LISTS_1 = [
  'lineStarts',
  /** Of each segment: generated column, source, original line, original column, name. Lines and columns from 0. */
  'columns',
  'sources',
  'originalLines',
  'originalColumns',
  'names',
  ...COMMON_LISTS,
] as const;

export type ListName = (typeof LISTS)[number];
export type ListName1 = (typeof LISTS_1)[number];

export type NumberList = Uint8Array | Uint16Array | Uint32Array;
export type NumberLists = Readonly<Record<ListName, NumberList>>;
export type NumberLists1 = Readonly<Record<ListName1, NumberList>>;

/**
 * First number of the compact form, by the version of the layout: `EGM` and the version. Each version stays readable: an
 * upload that is known is not opened again.
 */
export const MAGIC = 0x024d4745;
export const MAGIC_1 = 0x014d4745;

/** Segments of a pack: one is unpacked for each frame. */
export const PACKED_SEGMENTS = 32;

/** Returns the first index in `from` to before `to` whose number is greater; `to` when none is. Numbers are sorted. */
export function firstAbove(list: NumberList, from: number, to: number, number: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] ?? 0) <= number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns a reference of a list; null: there is none. */
export function referenceAt(list: NumberList, at: number): number | null {
  const number = list[at] ?? NONE;
  return number >= NONE >>> (32 - 8 * list.BYTES_PER_ELEMENT) ? null : number;
}

/** Numbers of the head before those of the lists: magic, whether functions are known, bytes of blocks, bytes of texts. */
export const HEAD_NUMBERS = 4;
/** Numbers of the head for each list: its length, its width in bytes. */
export const LIST_NUMBERS = 2;

/** Returns the end of a list rounded up to a multiple of 4. */
export const aligned = (bytes: number): number => (bytes + 3) & ~3;

/** Characters of a line of a source that are kept; frames show fewer. */
export const MAX_LINE_CHARACTERS = 512;
/** Characters of the lines that are compressed together: what a frame with its source lines needs is one or two blocks. */
export const BLOCK_CHARACTERS = 12 * 1024;
/** Maximum bytes of an inflated block: a line may be longer in UTF-8, and the last line of a block exceeds its bound. */
export const MAX_BLOCK_BYTES = 4 * (BLOCK_CHARACTERS + MAX_LINE_CHARACTERS + 1);

/** End of a line as editors, compilers and browsers count them. */
export const LINE_END = /\r\n|[\n\r]/;
