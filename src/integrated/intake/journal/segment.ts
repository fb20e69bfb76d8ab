import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { JournalFiles } from '../../../domain/ports/journal-files.ts';

const MAGIC = Buffer.from('ERGJRNL1', 'latin1');
const FIXED_BYTES = MAGIC.length + 8;
const MAX_HEADER_BYTES = 1024 * 1024;
const NAME = /^(\d{12})\.seg$/;

/** A place in the journal: everything before `offset` of `segment` and in lower segments. */
export interface JournalPosition {
  readonly segment: number;
  readonly offset: number;
}

export interface SegmentHeader {
  /** 32 random hex digits: two journals that were copied from each other differ from their next segment on. */
  readonly id: string;
  /**
   * Lengths up to which earlier segments of the same process count: what stands behind was refused (a
   * failed sync). A segment that no later one names ended with its process, at its first unreadable record.
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

/** Numbers of the segments that exist, ascending. */
export async function listSegments(files: JournalFiles, dir: string): Promise<number[]> {
  const names = await files.list(segmentsDir(dir));
  return names.flatMap((name) => NAME.exec(name)?.[1] ?? []).map(Number);
}

/**
 * The number every frame of the segment begins with. Random and known to nobody outside, so that a client
 * cannot send a body in which a frame seems to begin. Never 0, which is what a torn file may hold.
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
 * `torn`: the file ends within its header, so its creation was cut short and nothing in it was ever
 * acknowledged. `damaged`: these are not the bytes that were written.
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
