import { randomBytes } from 'node:crypto';
import type { AppendFile, JournalFiles } from '../../../domain/ports/journal-files.ts';
import { stampMarker } from './record-frame.ts';
import { encodeSegmentHeader, markerOf, segmentPath, segmentsDir } from './segment.ts';
import type { JournalPosition } from './segment.ts';

export interface SegmentWriterOptions {
  readonly files: JournalFiles;
  readonly dir: string;
  /** `process-crash`: written, but not synced; a power cut may take what was acknowledged. */
  readonly durability: 'power-loss' | 'process-crash';
  /** A segment of at least this many bytes is followed by a new one. */
  readonly segmentBytes: number;
  readonly firstSegment: number;
}

interface OpenSegment {
  readonly number: number;
  readonly marker: number;
  readonly file: AppendFile;
  /** Bytes that count: header and complete commits. */
  length: number;
}

/**
 * Writes commits to the newest segment. A segment whose write or sync failed is never touched again: the
 * system may have dropped the bytes and call them clean. The next segment says how much of it counts.
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

  /** Everything before it is committed. */
  get position(): JournalPosition {
    return this.#position;
  }

  /**
   * Writes whole frames (the first buffer of each is in `heads`) and makes them durable. Answers the bytes
   * added to the disk and where. After a failure nothing of the commit counts; the next one begins a segment.
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
      await this.#sync(segment.file);
    } catch (error) {
      await this.#abandon(segment);
      throw error;
    }
    await this.#committed(segment, bytes);
    return { segment: segment.number, bytes };
  }

  /** Nothing more comes into the open segment: the digest may finish and remove it. */
  async close(): Promise<void> {
    const segment = this.#open;
    if (segment !== null) {
      this.#open = null;
      this.#ends.push([segment.number, segment.length]);
      this.#position = { segment: this.#nextNumber, offset: 0 };
      await segment.file.close().catch(() => undefined);
    }
  }

  /** Header and first commit in one write; the directory is synced too, or the whole file could vanish. */
  async #commitToNew(buffers: readonly Buffer[], heads: readonly Buffer[], bytes: number) {
    const { files, dir, durability } = this.#options;
    const number = this.#nextNumber++;
    const id = randomBytes(16).toString('hex');
    const header = encodeSegmentHeader({ id, ends: this.#ends });
    const segment = { number, marker: markerOf(id), file: await files.create(segmentPath(dir, number)), length: 0 };
    stamp(heads, segment.marker);
    try {
      await segment.file.append([header, ...buffers]);
      await this.#sync(segment.file);
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

  async #sync(file: AppendFile): Promise<void> {
    if (this.#options.durability === 'power-loss') {
      await file.sync();
    }
  }

  async #committed(segment: OpenSegment, bytes: number): Promise<void> {
    segment.length += bytes;
    this.#open = segment;
    this.#position = { segment: segment.number, offset: segment.length };
    if (segment.length >= this.#options.segmentBytes) {
      await this.close();
    }
  }

  /** A disk that fails for hours must not leave a file per attempt. */
  async #removeUnused(number: number): Promise<void> {
    try {
      await this.#options.files.remove(segmentPath(this.#options.dir, number));
      this.#ends = this.#ends.filter(([segment]) => segment !== number);
    } catch {
      // It stays, with length 0 in the next header.
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
