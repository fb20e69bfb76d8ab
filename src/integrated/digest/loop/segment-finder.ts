import type { JournalFiles } from '../../../domain/ports/journal-files.ts';
import { listSegments, readSegmentHeader, segmentPath } from '../../intake/journal/segment.ts';
import type { JournalPosition, ReadSegmentHeader } from '../../intake/journal/segment.ts';

export interface FoundSegment {
  readonly number: number;
  readonly path: string;
  readonly header: ReadSegmentHeader | 'torn' | 'damaged';
  /** End of the valid bytes. */
  readonly end: number;
  /** False: written by a process that has ended; it may end in a torn record before `end`. */
  readonly endKnown: boolean;
  /** True when nothing will be appended to it. */
  readonly finished: boolean;
}

/** Finds the segment where the digest continues, and its valid bytes. */
export class SegmentFinder {
  readonly #files: JournalFiles;
  readonly #dir: string;
  #found: FoundSegment | null = null;

  constructor(files: JournalFiles, dir: string) {
    this.#files = files;
    this.#dir = dir;
  }

  /** Returns the lowest segment from `number` on with readable bytes before `synced`; null when there is none. */
  async find(number: number, synced: JournalPosition): Promise<FoundSegment | null> {
    const found = this.#found;
    if (found?.number === number && (found.finished || number === synced.segment)) {
      return found.finished ? found : { ...found, end: synced.offset };
    }
    const numbers = await listSegments(this.#files, this.#dir);
    // A segment has no header while the journal stands at its offset 0.
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
    // Its process ended, and its bytes may not be on the disk yet. Batches are cut of durable bytes only.
    await this.#files.syncFile(path);
    return { number, path, header, end: await this.#files.size(path), endKnown: false, finished: true };
  }

  /** Returns the end of this segment as the header of the next valid one names it; null when none does. */
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
