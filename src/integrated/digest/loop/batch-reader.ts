import type { Hash } from 'node:crypto';
import { AppError } from '../../../domain/app-error.ts';
import type { DigestedBatch } from '../../../domain/ingest/digest.ts';
import type { JournalFiles } from '../../../domain/ports/journal-files.ts';
import { FrameReader } from '../../intake/journal/frame-reader.ts';
import type { Frame, FrameRange } from '../../intake/journal/frame-reader.ts';
import type { JournalRecord } from '../../intake/journal-record.ts';
import { decodeRecord } from '../../intake/journal/record-frame.ts';
import { GrowingBatch, type DigestMappedRecord } from '../digested-record.ts';

export interface BatchRequest {
  readonly range: FrameRange;
  readonly maxRecords: number;
  /** Maximum bytes of frames; a larger first record is taken alone. */
  readonly maxBytes: number;
  /** Indexes of records that are left out; they still count as members. */
  readonly excluded: readonly number[];
  readonly digest: DigestMappedRecord;
  /** Hash that is fed with the header of every member. */
  readonly hash: Hash | null;
  /** Sets an undigestible record aside. It must be durable elsewhere before this resolves. */
  setAside(frame: Frame, error: unknown): Promise<void>;
  /** Signal of a background read: turns of the event loop come sooner. After an abort the next turn throws. */
  readonly aside?: AbortSignal;
}

export interface BatchContent {
  /** Start of each member. */
  readonly offsets: readonly number[];
  /** End of the last member. */
  readonly to: number;
  /** Digested records for the store. */
  readonly batch: DigestedBatch;
  /** Requests to be forwarded. */
  readonly forwards: readonly JournalRecord[];
  /** Indexes of `excluded` in the request and of records set aside now, ascending. */
  readonly excluded: readonly number[];
  /** True when the bytes behind the last member are no record. */
  readonly damaged: boolean;
}

/** Records between two turns of the event loop; the second value is for background reads: about 2 ms. */
const TURN_RECORDS = 100;
const ASIDE_TURN_RECORDS = 20;

/** Reads records and digests each at once. Holds only the digested form, never thousands of parsed events. */
export async function readBatch(files: JournalFiles, request: BatchRequest): Promise<BatchContent> {
  const reader = new FrameReader(files, request.range);
  const left = new Set(request.excluded);
  const offsets: number[] = [];
  const batch = new GrowingBatch();
  let to = request.range.from;
  let damaged = false;
  const turnRecords = request.aside === undefined ? TURN_RECORDS : ASIDE_TURN_RECORDS;
  while (offsets.length < request.maxRecords) {
    const frame = reader.next();
    if (frame === 'more') {
      await reader.fill();
      continue;
    }
    damaged = frame === 'damaged';
    if (
      frame === null ||
      frame === 'damaged' ||
      (offsets.length > 0 && frame.to - request.range.from > request.maxBytes)
    ) {
      break;
    }
    const index = offsets.push(frame.from) - 1;
    to = frame.to;
    request.hash?.update(frame.header);
    if (!left.has(index)) {
      try {
        const digested = request.digest(decodeRecord(frame.payload));
        batch.add(digested instanceof Promise ? await digested : digested);
      } catch (error) {
        // Says nothing about the record.
        if (error instanceof AppError && error.code === 'store_unavailable') throw error;
        await request.setAside(frame, error);
        left.add(index);
      }
    }
    if (offsets.length % turnRecords === 0) {
      await new Promise(setImmediate);
      request.aside?.throwIfAborted();
    }
  }
  const excluded = [...left].sort((a, b) => a - b);
  return { offsets, to, batch: batch.finish(), forwards: batch.forwards, excluded, damaged };
}
