import type { JournalFiles } from '../../../domain/ports/journal-files.ts';
import { listSegments, readSegmentHeader, segmentPath } from '../../intake/journal/segment.ts';
import type { JournalPosition, ReadSegmentHeader } from '../../intake/journal/segment.ts';

export interface FoundSegment {
  readonly number: number;
  readonly path: string;
  readonly header: ReadSegmentHeader | 'torn' | 'damaged';
  /** Where what counts ends. */
  readonly end: number;
  /** False: written by a process that ended since; it may end in a torn record before `end`. */
  readonly endKnown: boolean;
  /** Nothing more will be written to it. */
  readonly finished: boolean;
}

/** Finds the segment in which the digest goes on, and how much of it counts. */
export class SegmentFinder {
  readonly #files: JournalFiles;
  readonly #dir: string;
  #found: FoundSegment | null = null;

  constructor(files: JournalFiles, dir: string) {
    this.#files = files;
    this.#dir = dir;
  }

  /** The lowest segment from `number` on of which something before `synced` may be read; null when there is none. */
  async find(number: number, synced: JournalPosition): Promise<FoundSegment | null> {
    const found = this.#found;
    if (found?.number === number && (found.finished || number === synced.segment)) {
      return found.finished ? found : { ...found, end: synced.offset };
    }
    const numbers = await listSegments(this.#files, this.#dir);
    // A segment at whose offset 0 the journal stands has no header yet.
    const readable = numbers.filter((n) => n < synced.segment || (n === synced.segment && synced.offset > 0));
    const next = readable.find((n) => n >= number);
    this.#found = next === undefined ? null : await this.#look(next, readable, synced);
    return this.#found;
  }

  forget(): void {
    this.#found = null;
  }

  async #look(number: number, readable: readonly number[], synced: JournalPosition): Promise<FoundSegment> {
    const path = segmentPath(this.#dir, number);
    const header = await readSegmentHeader(this.#files, path);
    if (number === synced.segment) {
      return { number, path, header, end: synced.offset, endKnown: true, finished: false };
    }
    const end = await this.#namedEnd(number, readable);
    if (end !== null) {
      return { number, path, header, end, endKnown: true, finished: true };
    }
    // Its process ended. What the system has of it may not be on the disk yet; a batch is cut of durable bytes only.
    await this.#files.syncFile(path);
    return { number, path, header, end: await this.#files.size(path), endKnown: false, finished: true };
  }

  /** What the next good segment says of this one. */
  async #namedEnd(number: number, readable: readonly number[]): Promise<number | null> {
    for (const later of readable.filter((n) => n > number)) {
      const header = await readSegmentHeader(this.#files, segmentPath(this.#dir, later));
      if (typeof header !== 'string') {
        return header.ends.find(([segment]) => segment === number)?.[1] ?? null;
      }
    }
    return null;
  }
}
