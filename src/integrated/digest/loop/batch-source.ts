import type { JournalFiles } from '../../../domain/ports/journal-files.ts';
import type { Clock } from '../../../domain/ports/clock.ts';
import type { Logger } from '../../../observability/logger.ts';
import { findFrame, isCutShort, readFrame } from '../../intake/journal/frame-reader.ts';
import type { Frame } from '../../intake/journal/frame-reader.ts';
import { decodeRecord } from '../../intake/journal/record-frame.ts';
import { listSegments, readSegmentHeader, segmentPath } from '../../intake/journal/segment.ts';
import type { JournalPosition, ReadSegmentHeader } from '../../intake/journal/segment.ts';
import { type BatchManifest, beginBatchHash, endBatchHash } from '../../intake/journal/manifest-log.ts';
import { describeError, quarantineName, writeQuarantine } from '../../quarantine/quarantine-file.ts';
import type { QuarantineEntry, QuarantineReason } from '../../quarantine/quarantine-file.ts';
import { readBatch } from './batch-reader.ts';
import type { BatchContent, BatchRequest } from './batch-reader.ts';
import type { DigestMappedRecord } from '../digested-record.ts';
import { SegmentFinder } from './segment-finder.ts';
import type { FoundSegment } from './segment-finder.ts';

export interface BatchSourceOptions {
  readonly files: JournalFiles;
  /** Directory of the journal. */
  readonly dir: string;
  readonly quarantineDir: string;
  readonly digest: DigestMappedRecord;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  readonly onQuarantine: (entry: QuarantineEntry) => void;
  /** Minimum unread bytes for reading a batch ahead. Default 1 MiB. */
  readonly aheadBytes?: number;
}

/** Conditions that define the batch behind a position. */
export interface CutTerms {
  readonly journalId: string;
  readonly n: number;
  readonly synced: JournalPosition;
  readonly maxRecords: number;
  readonly maxBytes: number;
}

export interface CutRequest extends CutTerms {
  /** Called before a finished segment is removed. Must record durably that nothing before the position is needed. */
  beforeRemove(position: JournalPosition): Promise<void>;
  onRemoved(segment: number): void;
}

export interface CutBatch {
  readonly segment: number;
  readonly from: number;
  readonly hash: string;
  readonly content: BatchContent;
}

/** Default of `aheadBytes`; smaller amounts are gathered first: see `BatchDelay`. */
const AHEAD_BYTES = 1024 * 1024;

/** Maximum bytes of a file of damaged data set aside. */
const PIECE_BYTES = 16 * 1024 * 1024;

/** Walks the journal's segments: cuts batches, sets damage aside, removes digested segments. */
export class BatchSource {
  readonly #options: BatchSourceOptions;
  readonly #finder: SegmentFinder;
  /** Position up to which everything is in the store or set aside. */
  position: JournalPosition = { segment: 0, offset: 0 };

  constructor(options: BatchSourceOptions) {
    this.#options = options;
    this.#finder = new SegmentFinder(options.files, options.dir);
  }

  /** Returns the next batch behind the position, digested; null when nothing synced is left. */
  async cut(request: CutRequest): Promise<CutBatch | null> {
    for (;;) {
      const segment = await this.#finder.find(this.position.segment, request.synced);
      if (segment === null) {
        return null;
      }
      if (segment.number > this.position.segment) {
        this.position = { segment: segment.number, offset: 0 };
      }
      const batch = await this.#cutFrom(segment, request);
      if (batch !== null) {
        return batch;
      }
      if (this.position.offset < segment.end) {
        continue;
      }
      if (!segment.finished) {
        return null;
      }
      await this.#finish(segment, request);
    }
  }

  /**
   * Reads and digests the batch that `cut` will return once everything before `after` is confirmed. Null when fewer
   * than `aheadBytes` are left in the segment, or the segment is gone or its header unreadable. Throws for an
   * undigestible record. Changes nothing.
   */
  async readAhead(after: JournalPosition, terms: CutTerms, aside: AbortSignal): Promise<CutBatch | null> {
    const segment = await this.#finder.find(after.segment, terms.synced);
    if (segment?.number !== after.segment || typeof segment.header === 'string') return null;
    if (segment.end - after.offset < Math.max(1, this.#options.aheadBytes ?? AHEAD_BYTES)) return null;
    const batch = await this.#read(segment, segment.header, after.offset, terms, {
      aside,
      setAside: (_frame, error) => Promise.reject(error instanceof Error ? error : new Error('not digested')),
    });
    return batch.content.offsets.length > 0 ? batch : null;
  }

  /**
   * Digests the records of a recorded batch again. Returns fewer when later ones are unreadable, null when the whole
   * segment is.
   */
  async reload(manifest: BatchManifest): Promise<BatchContent | null> {
    const { files, dir } = this.#options;
    const path = segmentPath(dir, manifest.segment);
    const exists = (await listSegments(files, dir)).includes(manifest.segment);
    const header = exists ? await readSegmentHeader(files, path) : 'torn';
    if (typeof header === 'string') {
      return null;
    }
    return readBatch(this.#options.files, {
      range: { path, marker: header.marker, from: manifest.from, to: manifest.to },
      maxRecords: manifest.count,
      maxBytes: Infinity,
      excluded: manifest.excluded,
      digest: this.#options.digest,
      hash: null,
      setAside: (frame, error) => this.#setAsideRecord(header.id, frame, 'digest_failed', error),
    });
  }

  /** Sets one record of a recorded batch aside, because the store refuses it. */
  async setAsideRefused(manifest: BatchManifest, offset: number, error: unknown): Promise<void> {
    const path = segmentPath(this.#options.dir, manifest.segment);
    const header = await readSegmentHeader(this.#options.files, path);
    if (typeof header === 'string') {
      throw new Error('the segment of a recorded batch cannot be read');
    }
    const frame = await readFrame(this.#options.files, { path, marker: header.marker, from: offset, to: manifest.to });
    if (frame === null || frame === 'damaged') {
      throw new Error('the record that is to be set aside cannot be read');
    }
    await this.#setAsideRecord(header.id, frame, 'store_refused', error);
  }

  async #cutFrom(segment: FoundSegment, request: CutRequest): Promise<CutBatch | null> {
    const { header } = segment;
    if (typeof header === 'string') {
      // Torn at its creation: it never held an acknowledged record.
      if (header === 'damaged') {
        await this.#setAsideBytes(segment, 'damaged-header', 0, segment.end);
      }
      this.position = { segment: segment.number, offset: segment.end };
      return null;
    }
    const from = Math.max(this.position.offset, header.bytes);
    if (from >= segment.end) {
      this.position = { segment: segment.number, offset: segment.end };
      return null;
    }
    const batch = await this.#read(segment, header, from, request, {
      setAside: (frame, error) => this.#setAsideRecord(header.id, frame, 'digest_failed', error),
    });
    if (batch.content.offsets.length > 0) {
      return batch;
    }
    const { files } = this.#options;
    const rest = { path: segment.path, marker: header.marker, from, to: segment.end };
    const next = await findFrame(files, { ...rest, from: from + 1 });
    if (next === null && !segment.endKnown && (await isCutShort(files, rest))) {
      this.#options.logger.warn(
        { segment: segment.number, bytes: segment.end - from },
        'the last write of an earlier process is cut short and cannot be read; it may have been acknowledged',
      );
    } else {
      await this.#setAsideBytes(segment, header.id, from, next ?? segment.end);
    }
    this.position = { segment: segment.number, offset: next ?? segment.end };
    return null;
  }

  async #read(
    segment: FoundSegment,
    header: ReadSegmentHeader,
    from: number,
    { journalId, n, maxRecords, maxBytes }: CutTerms,
    how: Pick<BatchRequest, 'setAside' | 'aside'>,
  ): Promise<CutBatch> {
    const hash = beginBatchHash(journalId, n, `${header.id} ${from}`);
    const content = await readBatch(this.#options.files, {
      range: { path: segment.path, marker: header.marker, from, to: segment.end },
      maxRecords,
      maxBytes,
      excluded: [],
      digest: this.#options.digest,
      hash,
      ...how,
    });
    return { segment: segment.number, from, hash: endBatchHash(hash), content };
  }

  async #finish(segment: FoundSegment, request: CutRequest): Promise<void> {
    const behind = { segment: segment.number + 1, offset: 0 };
    await request.beforeRemove(behind);
    await this.#options.files.remove(segment.path);
    this.#finder.forget();
    this.position = behind;
    request.onRemoved(segment.number);
  }

  async #setAsideRecord(segmentId: string, frame: Frame, reason: QuarantineReason, error: unknown): Promise<void> {
    const known = tryDecode(frame.payload);
    await this.#setAside(quarantineName(segmentId, frame.from), frame.payload, reason, describeError(error), known);
  }

  async #setAsideBytes(segment: FoundSegment, segmentId: string, from: number, to: number): Promise<void> {
    const id = segmentId === 'damaged-header' ? `header-${String(segment.number).padStart(9, '0')}` : segmentId;
    this.#options.logger.warn(
      { segment: segment.number, from, bytes: to - from },
      'part of the journal is damaged; it is quarantined and the digest continues after it',
    );
    for (let at = from; at < to; at += PIECE_BYTES) {
      const bytes = await this.#options.files.read(segment.path, at, Math.min(PIECE_BYTES, to - at));
      await this.#setAside(
        quarantineName(id, at),
        bytes,
        'damaged',
        `journal segment ${segment.number} at ${at}`,
        null,
      );
    }
  }

  async #setAside(
    name: string,
    content: Buffer,
    reason: QuarantineReason,
    error: string,
    known: { projectId: number; eventId: string | null; receivedAt: number } | null,
  ): Promise<void> {
    const header = {
      reason,
      error,
      quarantinedAt: this.#options.clock.now(),
      projectId: known?.projectId ?? null,
      eventId: known?.eventId ?? null,
      receivedAt: known?.receivedAt ?? null,
    };
    const { files, quarantineDir } = this.#options;
    this.#options.onQuarantine(await writeQuarantine(files, quarantineDir, name, header, content));
  }
}

function tryDecode(payload: Buffer) {
  try {
    return decodeRecord(payload);
  } catch {
    return null;
  }
}
