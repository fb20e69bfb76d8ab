import { crc32 } from 'node:zlib';
import type { JournalFiles } from '../../../domain/ports/journal-files.ts';
import { FRAME_HEADER_BYTES, MAX_PAYLOAD_BYTES } from './record-frame.ts';

const CHUNK_BYTES = 512 * 1024;

export interface Frame {
  /** Start and end of the frame in the segment. */
  readonly from: number;
  readonly to: number;
  readonly header: Buffer;
  /** View of the chunk that was read; valid only until the next read. */
  readonly payload: Buffer;
}

export interface FrameRange {
  readonly path: string;
  readonly marker: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Walks the frames of one segment in chunks. `next` does not wait. It returns `more` when `fill` must read first, and
 * null at the end of the range. It returns `damaged` where no frame begins or its bytes have changed.
 */
export class FrameReader {
  readonly #files: JournalFiles;
  readonly #range: FrameRange;
  #offset: number;
  #chunk: Buffer = Buffer.alloc(0);
  /** Memory of all chunks. A new one for each would make V8 collect old objects almost twice as often. */
  #memory: Buffer = Buffer.alloc(0);
  #chunkFrom: number;
  #wanted = 0;
  #fileEnded = false;

  constructor(files: JournalFiles, range: FrameRange) {
    this.#files = files;
    this.#range = range;
    this.#offset = range.from;
    this.#chunkFrom = range.from;
  }

  /** Start of the next frame. */
  get offset(): number {
    return this.#offset;
  }

  next(): Frame | 'more' | 'damaged' | null {
    const left = this.#range.to - this.#offset;
    if (left <= 0) {
      return null;
    }
    const at = this.#offset - this.#chunkFrom;
    const available = Math.min(this.#chunk.length - at, left);
    if (available < FRAME_HEADER_BYTES) {
      return this.#need(FRAME_HEADER_BYTES, left);
    }
    const length = this.#chunk.readUInt32LE(at + 4);
    if (this.#chunk.readUInt32LE(at) !== this.#range.marker || length > MAX_PAYLOAD_BYTES) {
      return 'damaged';
    }
    const frameBytes = FRAME_HEADER_BYTES + length;
    if (available < frameBytes) {
      return this.#need(frameBytes, left);
    }
    const header = this.#chunk.subarray(at, at + FRAME_HEADER_BYTES);
    const payload = this.#chunk.subarray(at + FRAME_HEADER_BYTES, at + frameBytes);
    if (crc32(payload) !== header.readUInt32LE(8)) {
      return 'damaged';
    }
    const from = this.#offset;
    this.#offset = from + frameBytes;
    return { from, to: this.#offset, header, payload };
  }

  async fill(): Promise<void> {
    const length = Math.min(Math.max(this.#wanted, CHUNK_BYTES), this.#range.to - this.#offset);
    if (this.#memory.length < length) this.#memory = Buffer.allocUnsafeSlow(length);
    this.#chunk = await this.#files.read(this.#range.path, this.#offset, length, this.#memory);
    this.#chunkFrom = this.#offset;
    this.#fileEnded = this.#chunk.length < length;
  }

  #need(bytes: number, left: number): 'more' | 'damaged' {
    if (bytes > left || this.#fileEnded) {
      return 'damaged';
    }
    this.#wanted = bytes;
    return 'more';
  }
}

/** Finds the start of the first whole frame behind `from`; null when there is none. */
export async function findFrame(files: JournalFiles, range: FrameRange): Promise<number | null> {
  const marker = Buffer.alloc(4);
  marker.writeUInt32LE(range.marker);
  let from = range.from;
  while (from + FRAME_HEADER_BYTES <= range.to) {
    const chunk = await files.read(range.path, from, Math.min(CHUNK_BYTES, range.to - from));
    for (let at = chunk.indexOf(marker); at !== -1; at = chunk.indexOf(marker, at + 1)) {
      if (await isFrame(files, { ...range, from: from + at })) {
        return from + at;
      }
    }
    if (chunk.length < marker.length) {
      return null;
    }
    // A marker may cross the border of two chunks.
    from += chunk.length - (marker.length - 1);
  }
  return null;
}

/** Reads the first frame of the range. */
export async function readFrame(files: JournalFiles, range: FrameRange): Promise<Frame | 'damaged' | null> {
  const reader = new FrameReader(files, range);
  for (;;) {
    const frame = reader.next();
    if (frame !== 'more') {
      return frame;
    }
    await reader.fill();
  }
}

/**
 * Returns true when the range, which begins with no whole frame, is what an interrupted write leaves. That is part of a
 * header, a header whose frame would end behind the range, or space never filled. Everything else is damage: a frame
 * was written in full and its bytes have changed.
 */
export async function isCutShort(files: JournalFiles, range: FrameRange): Promise<boolean> {
  const left = range.to - range.from;
  if (left < FRAME_HEADER_BYTES) return true;
  const header = await files.read(range.path, range.from, FRAME_HEADER_BYTES);
  if (header.length < FRAME_HEADER_BYTES) return true;
  const bytes = header.readUInt32LE(4);
  if (header.readUInt32LE(0) === range.marker && bytes <= MAX_PAYLOAD_BYTES) return FRAME_HEADER_BYTES + bytes > left;
  return isEmpty(files, range);
}

async function isEmpty(files: JournalFiles, { path, from, to }: FrameRange): Promise<boolean> {
  for (let at = from; at < to; at += CHUNK_BYTES) {
    const chunk = await files.read(path, at, Math.min(CHUNK_BYTES, to - at));
    if (chunk.some((byte) => byte !== 0)) return false;
  }
  return true;
}

async function isFrame(files: JournalFiles, range: FrameRange): Promise<boolean> {
  const frame = await readFrame(files, range);
  return frame !== null && frame !== 'damaged';
}
