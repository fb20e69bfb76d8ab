import type { JournalFiles } from '../../domain/ports/journal-files.ts';
import type { Logger } from '../../observability/logger.ts';
import type { JournalRecord } from '../intake/journal-record.ts';
import { encodeRecord } from '../intake/journal/record-frame.ts';
import { SegmentWriter } from '../intake/journal/segment-writer.ts';
import { listSegments, segmentsDir } from '../intake/journal/segment.ts';
import { readLanePosition } from './lane-position.ts';
import { type Lane, laneDir } from './spool-paths.ts';

/** Maximum bytes of a segment: room on the disk returns in steps of this size. */
const SEGMENT_BYTES = 4 * 1024 * 1024;
/** Segments in the bound of the whole spool at least, so that dropping the oldest one drops a small part. */
const SEGMENTS = 16;

export interface SpoolWriterOptions {
  readonly files: JournalFiles;
  /** Folder of the spool. */
  readonly dir: string;
  readonly durability: 'power-loss' | 'process-crash';
  /** Bound of the whole spool, which the worker keeps. */
  readonly maxBytes: number;
  /** Returns the reason why the disk must not fill further, or null. */
  readonly diskLow: () => Promise<string | null>;
  readonly logger: Pick<Logger, 'warn'>;
  /** Called with the number of requests that could not be written. */
  readonly onDropped: (count: number) => void;
}

/** Writes requests to be forwarded into the spool: one durable write per project and lane. */
export class SpoolWriter {
  readonly #options: SpoolWriterOptions;
  readonly #lanes = new Map<string, SegmentWriter>();
  #failing = false;

  constructor(options: SpoolWriterOptions) {
    this.#options = options;
  }

  /** Never rejects: what a full or failing disk does not take is dropped and counted. The journal must not wait for it. */
  async take(records: readonly JournalRecord[]): Promise<void> {
    const groups = new Map<string, JournalRecord[]>();
    for (const record of records) {
      const lane: Lane = record.forward?.hasEvent === true ? 'events' : 'other';
      const dir = laneDir(this.#options.dir, record.projectId, lane);
      const group = groups.get(dir);
      if (group === undefined) groups.set(dir, [record]);
      else group.push(record);
    }
    for (const [dir, group] of groups) {
      try {
        const low = await this.#options.diskLow();
        if (low !== null) throw new Error(low);
        await this.#append(dir, group);
        this.#failing = false;
      } catch (error) {
        await this.#lanes.get(dir)?.close();
        this.#lanes.delete(dir);
        this.#options.onDropped(group.length);
        if (!this.#failing)
          this.#options.logger.warn({ err: error }, 'could not queue requests for forwarding; dropped');
        this.#failing = true;
      }
    }
  }

  /** Closes the open segments; the worker goes on with them. */
  async close(): Promise<void> {
    for (const lane of this.#lanes.values()) await lane.close();
    this.#lanes.clear();
  }

  async #append(dir: string, records: readonly JournalRecord[]): Promise<void> {
    const lane = (await this.#openLane(dir)) ?? (await this.#open(dir));
    const frames = records.map(encodeRecord);
    const heads = frames.map(([head]) => head as Buffer);
    const buffers = frames.flat();
    const bytes = buffers.reduce((sum, buffer) => sum + buffer.length, 0);
    await lane.commit(buffers, heads, bytes);
  }

  /** Returns the writer of a lane whose segment is still there: the worker removes a lane whose project forwards no more. */
  async #openLane(dir: string): Promise<SegmentWriter | null> {
    const lane = this.#lanes.get(dir);
    if (lane === undefined || lane.position.offset === 0) return null;
    const numbers = await listSegments(this.#options.files, dir);
    if (numbers.includes(lane.position.segment)) return lane;
    await lane.close();
    return null;
  }

  /** Begins a new segment behind all existing and all finished ones: numbers are never used again. */
  async #open(dir: string): Promise<SegmentWriter> {
    const { files, durability, maxBytes } = this.#options;
    await files.makeDir(segmentsDir(dir));
    const last = (await listSegments(files, dir)).at(-1) ?? 0;
    const { segment } = await readLanePosition(files, dir);
    const lane = new SegmentWriter({
      ...{ files, dir, durability },
      segmentBytes: Math.min(SEGMENT_BYTES, Math.ceil(maxBytes / SEGMENTS)),
      firstSegment: Math.max(last, segment) + 1,
    });
    this.#lanes.set(dir, lane);
    return lane;
  }
}
