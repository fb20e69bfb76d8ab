import type { Hash } from 'node:crypto';
import type { DigestedBatch } from '../../../domain/digest.ts';
import type { JournalFiles } from '../../../domain/ports/journal-files.ts';
import { FrameReader } from '../../intake/journal/frame-reader.ts';
import type { Frame, FrameRange } from '../../intake/journal/frame-reader.ts';
import { decodeRecord } from '../../intake/journal/record-frame.ts';
import { addDigested, emptyBatch, type DigestRecord } from '../digested-record.ts';

export interface BatchRequest {
  readonly range: FrameRange;
  readonly maxRecords: number;
  /** Bytes of frames; a first record that is larger is taken alone. */
  readonly maxBytes: number;
  /** Positions of records that are left out; they count as members all the same. */
  readonly excluded: readonly number[];
  readonly digest: DigestRecord;
  /** Fed with the header of every member. */
  readonly hash: Hash | null;
  /** A record that cannot be digested: must be durable elsewhere before this resolves. */
  setAside(frame: Frame, error: unknown): Promise<void>;
  /** For reading while others need the event loop: turns come sooner, and when it is given up the next one throws. */
  readonly aside?: AbortSignal;
}

export interface BatchContent {
  /** Where each member begins. */
  readonly offsets: readonly number[];
  /** Where the last member ends. */
  readonly to: number;
  /** What the store takes. */
  readonly batch: DigestedBatch;
  /** `excluded` of the request and what was set aside now, ascending. */
  readonly excluded: readonly number[];
  /** The bytes behind the last member are no record. */
  readonly damaged: boolean;
}

/** Between this many records the event loop gets its turn; the second while others wait for it: about 2 ms. */
const TURN_RECORDS = 100;
const ASIDE_TURN_RECORDS = 20;

/**
 * Reads records and digests each at once: of a batch only what the store takes is held, never thousands of
 * parsed events.
 */
export async function readBatch(files: JournalFiles, request: BatchRequest): Promise<BatchContent> {
  const reader = new FrameReader(files, request.range);
  const left = new Set(request.excluded);
  const offsets: number[] = [];
  const batch = emptyBatch();
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
        addDigested(batch, request.digest(decodeRecord(frame.payload)));
      } catch (error) {
        await request.setAside(frame, error);
        left.add(index);
      }
    }
    if (offsets.length % turnRecords === 0) {
      await new Promise(setImmediate);
      request.aside?.throwIfAborted();
    }
  }
  return { offsets, to, batch, excluded: [...left].sort((a, b) => a - b), damaged };
}
