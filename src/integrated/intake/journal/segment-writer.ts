import { randomBytes } from 'node:crypto';
import type { AppendFile, JournalFiles } from '../../../domain/ports/journal-files.ts';
import { stampMarker } from './record-frame.ts';
import { encodeSegmentHeader, markerOf, segmentPath, segmentsDir } from './segment.ts';
import type { JournalPosition } from './segment.ts';

export interface SegmentWriterOptions {
  readonly files: JournalFiles;
  readonly dir: string;
  /** `process-crash`: written but not synced; a power cut may lose acknowledged records. */
  readonly durability: 'power-loss' | 'process-crash';
  /** Bytes of a segment after which a new one begins. */
  readonly segmentBytes: number;
  readonly firstSegment: number;
}

interface OpenSegment {
  readonly number: number;
  readonly marker: number;
  readonly file: AppendFile;
  /** Valid bytes: header and complete commits. */
  length: number;
}

/**
 * Writes commits to the newest segment. Never touches a segment after a failed write or sync: the system may have
 * dropped the bytes and marked them clean. The next segment records how much of it is valid.
 */
export class SegmentWriter {
  readonly #options: SegmentWriterOptions;
  #open: OpenSegment | null = null;
  #nextNumber: number;
  #ends: [segment: number, length: number][] = [];
  #position: JournalPosition;

  constructor(options: SegmentWriterOptions) {
    this.#options = options;
    this.#nextNumber = options.firstSegment;
    this.#position = { segment: options.firstSegment, offset: 0 };
  }

  /** Position up to which everything is committed. */
  get position(): JournalPosition {
    return this.#position;
  }

  /**
   * Writes whole frames (the first buffer of each is in `heads`) and makes them durable. Returns the bytes added to the
   * disk and their position. After a failure nothing of the commit is valid; the next one begins a segment.
   */
  async commit(
    buffers: readonly Buffer[],
    heads: readonly Buffer[],
    bytes: number,
  ): Promise<{ segment: number; bytes: number }> {
    if (this.#open === null) {
      return this.#commitToNew(buffers, heads, bytes);
    }
    const segment = this.#open;
    stamp(heads, segment.marker);
    try {
      await segment.file.append(buffers);
    } catch (error) {
      await this.#abandon(segment);
      throw error;
    }
    await this.#committed(segment, bytes);
    return { segment: segment.number, bytes };
  }

  /** Closes the open segment: the digest may finish and remove it. */
  async close(): Promise<void> {
    const segment = this.#open;
    if (segment !== null) {
      this.#open = null;
      this.#ends.push([segment.number, segment.length]);
      this.#position = { segment: this.#nextNumber, offset: 0 };
      await segment.file.close().catch(() => undefined);
    }
  }

  /** Writes header and first commit at once. Syncs the directory too, or the whole file could vanish. */
  async #commitToNew(buffers: readonly Buffer[], heads: readonly Buffer[], bytes: number) {
    const { files, dir, durability } = this.#options;
    const number = this.#nextNumber++;
    const id = randomBytes(16).toString('hex');
    const header = encodeSegmentHeader({ id, ends: this.#ends });
    const synced = durability === 'power-loss' ? 'synced' : undefined;
    const file = await files.create(segmentPath(dir, number), synced);
    const segment = { number, marker: markerOf(id), file, length: 0 };
    stamp(heads, segment.marker);
    try {
      await segment.file.append([header, ...buffers]);
      if (durability === 'power-loss') {
        await files.syncDir(segmentsDir(dir));
      }
    } catch (error) {
      await this.#abandon(segment);
      await this.#removeUnused(number);
      throw error;
    }
    this.#ends = [];
    await this.#committed(segment, header.length + bytes);
    return { segment: number, bytes: header.length + bytes };
  }

  async #committed(segment: OpenSegment, bytes: number): Promise<void> {
    segment.length += bytes;
    this.#open = segment;
    this.#position = { segment: segment.number, offset: segment.length };
    if (segment.length >= this.#options.segmentBytes) {
      await this.close();
    }
  }

  /** Removes the file of a failed attempt, so that a failing disk does not leave one per attempt. */
  async #removeUnused(number: number): Promise<void> {
    try {
      await this.#options.files.remove(segmentPath(this.#options.dir, number));
      this.#ends = this.#ends.filter(([segment]) => segment !== number);
    } catch {
      // The file stays, with length 0 in the next header.
    }
  }

  async #abandon(segment: OpenSegment): Promise<void> {
    this.#open = null;
    this.#ends.push([segment.number, segment.length]);
    await segment.file.close().catch(() => undefined);
  }
}

function stamp(heads: readonly Buffer[], marker: number): void {
  for (const head of heads) {
    stampMarker(head, marker);
  }
}
