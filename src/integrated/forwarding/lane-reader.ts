import type { JournalFiles } from '../../domain/ports/journal-files.ts';
import { findFrame, FrameReader } from '../intake/journal/frame-reader.ts';
import type { JournalRecord } from '../intake/journal-record.ts';
import { decodeRecord } from '../intake/journal/record-frame.ts';
import { listSegments, readSegmentHeader, segmentPath } from '../intake/journal/segment.ts';
import type { JournalPosition } from '../intake/journal/segment.ts';
import { type LanePosition, readLanePosition, writeLanePosition } from './lane-position.ts';

/** Request in a lane. */
export interface SpoolEntry {
  readonly record: JournalRecord;
  /** Position behind it. */
  readonly end: JournalPosition;
  finished: boolean;
}

/** Reads a lane while another thread appends to it, and removes what is finished. */
export class LaneReader {
  readonly #files: JournalFiles;
  readonly #dir: string;
  /** Everything before it is finished. */
  #done: JournalPosition;
  #saved: LanePosition;
  #next: JournalPosition;
  #dropped: number;
  readonly #outstanding: SpoolEntry[] = [];
  #reader: FrameReader | null = null;
  /** Last part that was opened, so that one without a whole frame at its start is not opened twice. */
  #attempt = '';

  private constructor(files: JournalFiles, dir: string, position: LanePosition) {
    this.#files = files;
    this.#dir = dir;
    this.#saved = position;
    this.#done = position;
    this.#next = position;
    this.#dropped = position.dropped;
  }

  static async open(files: JournalFiles, dir: string): Promise<LaneReader> {
    return new LaneReader(files, dir, await readLanePosition(files, dir));
  }

  /** Requests and items that were given up so far. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Entries that were read and are not finished. */
  get outstanding(): number {
    return this.#outstanding.length;
  }

  /** Receipt of the oldest entry that was read and is not finished; null: there is none. */
  get oldestAt(): number | null {
    return this.#outstanding[0]?.record.receivedAt ?? null;
  }

  countDropped(count: number): void {
    this.#dropped += count;
  }

  /** Reads the next entry; null when the lane has no whole one behind those that were read. */
  async next(): Promise<SpoolEntry | null> {
    for (;;) {
      const record = await this.#record();
      if (record !== null) {
        const entry = { record, end: this.#next, finished: false };
        this.#outstanding.push(entry);
        return entry;
      }
      if (!(await this.#goOn())) return null;
    }
  }

  /** Marks an entry as sent or given up. */
  finish(entry: SpoolEntry): void {
    entry.finished = true;
    while (this.#outstanding[0]?.finished === true) {
      const [first] = this.#outstanding.splice(0, 1);
      if (first !== undefined) this.#done = first.end;
    }
    this.#settle();
  }

  /** Writes the position durably, then removes the segments before it. */
  async save(): Promise<void> {
    this.#settle();
    const { segment, offset } = this.#done;
    const before = this.#saved;
    if (segment === before.segment && offset === before.offset && this.#dropped === before.dropped) return;
    const position = { segment, offset, dropped: this.#dropped };
    await writeLanePosition(this.#files, this.#dir, position);
    this.#saved = position;
    for (const number of await listSegments(this.#files, this.#dir)) {
      if (number < segment) await this.#files.remove(segmentPath(this.#dir, number));
    }
  }

  /** Bytes on disk behind the finished ones. */
  async waitingBytes(): Promise<number> {
    let bytes = 0;
    for (const number of await listSegments(this.#files, this.#dir)) {
      const size = await this.#sizeOf(number);
      if (number > this.#done.segment) bytes += size;
      else if (number === this.#done.segment) bytes += Math.max(0, size - this.#done.offset);
    }
    return bytes;
  }

  /**
   * Gives up the oldest segment, unless it is the only one. Returns the number of its requests; those that are being
   * sent are finished too, and their sender stops when it sees that.
   */
  async dropOldest(): Promise<number> {
    const numbers = await listSegments(this.#files, this.#dir);
    const [oldest] = numbers;
    if (oldest === undefined || numbers.length < 2) return 0;
    const held = this.#outstanding.filter(({ end, finished }) => end.segment <= oldest && !finished);
    let count = held.length;
    for (const entry of held) this.finish(entry);
    while (this.#next.segment <= oldest) {
      if ((await this.#record()) !== null) count += 1;
      else if (!(await this.#goOn())) break;
    }
    this.countDropped(count);
    await this.save();
    return count;
  }

  /** Without entries on their way, everything that was read is finished. */
  #settle(): void {
    if (this.#outstanding.length === 0) this.#done = this.#next;
  }

  async #sizeOf(number: number): Promise<number> {
    return this.#files.size(segmentPath(this.#dir, number)).catch(() => 0);
  }

  /** Returns the next record of the open part of a segment; null at its end. */
  async #record(): Promise<JournalRecord | null> {
    for (;;) {
      const frame = this.#reader?.next() ?? null;
      if (frame === 'more') {
        await this.#reader?.fill();
        continue;
      }
      if (frame === null || frame === 'damaged') return null;
      this.#next = { segment: this.#next.segment, offset: frame.to };
      const record = recordIn(frame.payload);
      if (record !== null) return record;
    }
  }

  /** Opens what follows behind the read part. False when there is nothing yet. */
  async #goOn(): Promise<boolean> {
    const numbers = await listSegments(this.#files, this.#dir);
    const number = numbers.find((each) => each >= this.#next.segment);
    this.#reader = null;
    if (number === undefined) return false;
    if (number > this.#next.segment) this.#next = { segment: number, offset: 0 };
    const path = segmentPath(this.#dir, number);
    const header = await readSegmentHeader(this.#files, path);
    const to = await this.#sizeOf(number);
    const from = typeof header === 'string' ? to : Math.max(this.#next.offset, header.bytes);
    const attempt = `${number} ${from} ${to}`;
    if (typeof header !== 'string' && from < to && attempt !== this.#attempt) {
      this.#attempt = attempt;
      this.#reader = new FrameReader(this.#files, { path, marker: header.marker, from, to });
      return true;
    }
    // The end of the last segment may be a write on its way.
    if (number === numbers.at(-1)) return false;
    const damaged = typeof header !== 'string' && from < to;
    const offset = damaged ? await findFrame(this.#files, { path, marker: header.marker, from: from + 1, to }) : null;
    this.#next = offset === null ? { segment: number + 1, offset: 0 } : { segment: number, offset };
    return true;
  }
}

/** Decodes a request with a copy of its body; null for anything else. */
function recordIn(payload: Buffer): JournalRecord | null {
  try {
    const record = decodeRecord(payload);
    return record.forward === undefined ? null : { ...record, body: Buffer.from(record.body) };
  } catch {
    return null;
  }
}
