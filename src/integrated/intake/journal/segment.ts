import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { JournalFiles } from '../../../domain/ports/journal-files.ts';

const MAGIC = Buffer.from('ERGJRNL1', 'latin1');
const FIXED_BYTES = MAGIC.length + 8;
const MAX_HEADER_BYTES = 1024 * 1024;
const NAME = /^(\d{12})\.seg$/;

/** Position in the journal. Before it are all lower segments, and the bytes before `offset` of `segment`. */
export interface JournalPosition {
  readonly segment: number;
  readonly offset: number;
}

export interface SegmentHeader {
  /** 32 random hex digits: copies of one journal differ from their next segment on. */
  readonly id: string;
  /**
   * Valid lengths of earlier segments of the same process; bytes behind them were refused (a failed sync). A segment
   * that no later one names ended with its process, at its first unreadable record.
   */
  readonly ends: readonly (readonly [segment: number, length: number])[];
}

export interface ReadSegmentHeader extends SegmentHeader {
  readonly marker: number;
  /** Offset of the first record. */
  readonly bytes: number;
}

export function segmentsDir(dir: string): string {
  return join(dir, 'segments');
}

export function segmentPath(dir: string, segment: number): string {
  return join(segmentsDir(dir), `${String(segment).padStart(12, '0')}.seg`);
}

/** Lists the numbers of existing segments, ascending. */
export async function listSegments(files: JournalFiles, dir: string): Promise<number[]> {
  const names = await files.list(segmentsDir(dir));
  return names.flatMap((name) => NAME.exec(name)?.[1] ?? []).map(Number);
}

/**
 * Returns the number that begins every frame of the segment. It is random and secret, so that a client cannot send a
 * body with a forged frame. Never 0, which a torn file may hold.
 */
export function markerOf(id: string): number {
  return Number.parseInt(id.slice(0, 8), 16) || 1;
}

export function encodeSegmentHeader(header: SegmentHeader): Buffer {
  const json = Buffer.from(JSON.stringify({ format: 1, id: header.id, ends: header.ends }));
  const fixed = Buffer.alloc(FIXED_BYTES);
  MAGIC.copy(fixed);
  fixed.writeUInt32LE(json.length, MAGIC.length);
  fixed.writeUInt32LE(crc32(json), MAGIC.length + 4);
  return Buffer.concat([fixed, json]);
}

/**
 * Reads the header of a segment. `torn`: the file ends within it, so its creation was interrupted and it has no
 * acknowledged record. `damaged`: its bytes have changed.
 */
export async function readSegmentHeader(
  files: JournalFiles,
  path: string,
): Promise<ReadSegmentHeader | 'torn' | 'damaged'> {
  const fixed = await files.read(path, 0, FIXED_BYTES);
  if (fixed.length < FIXED_BYTES) {
    return 'torn';
  }
  const length = fixed.readUInt32LE(MAGIC.length);
  if (!fixed.subarray(0, MAGIC.length).equals(MAGIC) || length > MAX_HEADER_BYTES) {
    return 'damaged';
  }
  const json = await files.read(path, FIXED_BYTES, length);
  if (json.length < length) {
    return 'torn';
  }
  if (crc32(json) !== fixed.readUInt32LE(MAGIC.length + 4)) {
    return 'damaged';
  }
  const { id, ends } = JSON.parse(json.toString()) as SegmentHeader;
  return { id, ends, marker: markerOf(id), bytes: FIXED_BYTES + length };
}
