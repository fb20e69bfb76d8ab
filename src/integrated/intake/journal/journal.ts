import { performance } from 'node:perf_hooks';
import { AppError } from '../../../domain/app-error.ts';
import type { Clock } from '../../../domain/ports/clock.ts';
import type { JournalFiles } from '../../../domain/ports/journal-files.ts';
import type { Logger } from '../../../observability/logger.ts';
import type { JournalRecord } from '../journal-record.ts';
import { findJournal } from './open-journal.ts';
import type { FoundJournal } from './open-journal.ts';
import { encodeRecord } from './record-frame.ts';
import { SegmentWriter } from './segment-writer.ts';
import type { JournalPosition } from './segment.ts';
import { WaitingAges } from './waiting-ages.ts';

/** Reason for refusing appends; a closed set, used as a metric label. */
export type RefusalReason = 'journal_closed' | 'journal_full' | 'disk_low' | 'disk_error';

export interface Refusal {
  readonly reason: RefusalReason;
  /** Sentence for the user: the problem and its remedy. */
  readonly message: string;
}

/** Maximum bytes of a segment file. Room on the disk returns in steps of this size. */
const SEGMENT_BYTES = 64 * 1024 * 1024;

export interface JournalOptions {
  readonly files: JournalFiles;
  /** Holds `segments/` and `seals/` (batch manifests); belongs to one process. */
  readonly dir: string;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  readonly durability: 'power-loss' | 'process-crash';
  /** Maximum bytes of one segment file; an eighth of `maxBytes` where that is less. Default SEGMENT_BYTES. */
  readonly segmentBytes?: number;
  /** Maximum bytes of all segments together; above it appends throw `ingest_unavailable`. */
  readonly maxBytes: number;
  /** Maximum milliseconds in which a commit waits for further appends. Default GATHER_MS. */
  readonly gatherMs?: number;
  /** Called before every append. Returns the reason why the disk must not fill further, or null. */
  readonly diskLow?: () => string | null;
  /** Called after every commit. The caller decides how often to notify the digest. */
  readonly onSynced?: (commit: { readonly records: number; readonly seconds: number }) => void;
  /** Called for every refused append. */
  readonly onRefused?: (reason: RefusalReason) => void;
}

export interface JournalStats {
  readonly bytes: number;
  readonly segments: number;
  /** Receipt time of the oldest undigested record, to within a second; null when there is none. */
  readonly oldestReceivedAt: number | null;
}

interface Append {
  readonly heads: readonly Buffer[];
  readonly buffers: readonly Buffer[];
  readonly bytes: number;
  readonly receivedAt: number;
  readonly records: number;
  resolve(): void;
  reject(error: AppError): void;
}

/** Maximum bytes of one commit; further ones go into the next, so that a segment does not grow too large. */
const COMMIT_BYTES = 16 * 1024 * 1024;
/**
 * Maximum milliseconds in which a commit waits while each turn of the event loop brings further appends. A sync for
 * twice as many events takes a seventh of the processor time of an event less (docs/adr/0018).
 */
const GATHER_MS = 3;
const RETRY_AFTER_SECONDS = 10;
/** Milliseconds without attempts after a failed write. Doubles up to the second value. */
const PAUSE_MS = 50;
const MAX_PAUSE_MS = 1000;
/**
 * Milliseconds after a failed write for which readiness fails: as long as senders are asked to wait. After it, one of
 * them may try again.
 */
const UNREADY_MS = RETRY_AFTER_SECONDS * 1000;

/**
 * Holds acknowledged records until the store has them. Concurrent appends share one write and one sync. An append
 * resolves only after the sync that covers it.
 */
export class Journal {
  readonly #options: JournalOptions;
  readonly #writer: SegmentWriter;
  readonly #sizes = new Map<number, number>();
  readonly #ages = new WaitingAges();
  #bytes = 0;
  #waiting: Append[] = [];
  /** Bytes of appends that are waiting or being written. */
  #pendingBytes = 0;
  #committing: Promise<void> | null = null;
  #closed = false;
  #failure: { readonly at: number; readonly retryAt: number; readonly pauseMs: number } | null = null;

  private constructor(options: JournalOptions, found: FoundJournal) {
    const segmentBytes = Math.min(options.segmentBytes ?? SEGMENT_BYTES, Math.floor(options.maxBytes / 8));
    this.#options = options;
    this.#writer = new SegmentWriter({ ...options, segmentBytes, firstSegment: found.nextSegment });
    for (const { number, bytes, receivedAt } of found.segments) {
      this.#grow(number, bytes);
      if (receivedAt !== null) {
        this.#ages.add(number, Infinity, receivedAt);
      }
    }
  }

  /** Opens the journal. Never appends to existing segments: the first append begins a new one. */
  static async open(options: JournalOptions): Promise<Journal> {
    return new Journal(options, await findJournal(options.files, options.dir));
  }

  /**
   * Appends records; resolves when they survive what `durability` promises. Throws `ingest_unavailable`: none was kept.
   */
  append(records: readonly JournalRecord[]): Promise<void> {
    const first = records[0];
    if (first === undefined) {
      return Promise.resolve();
    }
    const heads: Buffer[] = [];
    const buffers: Buffer[] = [];
    let bytes = 0;
    for (const record of records) {
      const frame = encodeRecord(record);
      heads.push(frame[0] as Buffer);
      for (const buffer of frame) {
        buffers.push(buffer);
        bytes += buffer.length;
      }
    }
    const refusal = this.#refusal(bytes);
    if (refusal !== null) {
      return Promise.reject(this.#refuse(refusal));
    }
    this.#pendingBytes += bytes;
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        heads,
        buffers,
        bytes,
        receivedAt: first.receivedAt,
        records: records.length,
        resolve,
        reject,
      });
      this.#committing ??= this.#commitAll();
    });
  }

  /**
   * Returns the reason to send no events here now; null when they are accepted. After a failed write the reason stays
   * longer than appends are refused without an attempt. The next write would most likely fail too.
   */
  refusal(): Refusal | null {
    const failedLately = this.#failure !== null && this.#options.clock.now() < this.#failure.at + UNREADY_MS;
    return this.#refusal(1) ?? (failedLately ? DISK_ERROR : null);
  }

  /** Position up to which everything is synced: the digest may read up to here. */
  position(): JournalPosition {
    return this.#writer.position;
  }

  /** Records the progress of the digest: all before `position`, and the segments it removed from the disk. */
  digested(position: JournalPosition, removedSegments: readonly number[]): void {
    this.#ages.digestedUpTo(position);
    for (const [number, bytes] of this.#sizes) {
      // A digest that crashed may have removed more segments than it reported.
      if (number < position.segment || removedSegments.includes(number)) {
        this.#bytes -= bytes;
        this.#sizes.delete(number);
      }
    }
  }

  stats(): JournalStats {
    return { bytes: this.#bytes, segments: this.#sizes.size, oldestReceivedAt: this.#ages.oldest() };
  }

  /** Completes earlier appends; refuses later ones. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#committing;
    await this.#writer.close();
  }

  async #commitAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather();
      await this.#commit(this.#takeWaiting());
    }
    this.#committing = null;
  }

  /** Resolves after the first turn of the event loop that brings no further append, or after `gatherMs`. */
  async #gather(): Promise<void> {
    const end = performance.now() + (this.#options.gatherMs ?? GATHER_MS);
    let gathered = 0;
    let before: number;
    do {
      before = gathered;
      await new Promise(setImmediate);
      gathered = this.#waiting.length;
    } while (gathered > before && performance.now() < end);
  }

  #takeWaiting(): readonly Append[] {
    let bytes = 0;
    const end = this.#waiting.findIndex((append) => (bytes += append.bytes) > COMMIT_BYTES);
    if (end === -1) {
      const all = this.#waiting;
      this.#waiting = [];
      return all;
    }
    return this.#waiting.splice(0, Math.max(1, end));
  }

  async #commit(appends: readonly Append[]): Promise<void> {
    const started = performance.now();
    const buffers: Buffer[] = [];
    const heads: Buffer[] = [];
    let bytes = 0;
    for (const append of appends) {
      buffers.push(...append.buffers);
      heads.push(...append.heads);
      bytes += append.bytes;
    }
    try {
      const written = await this.#writer.commit(buffers, heads, bytes);
      this.#grow(written.segment, written.bytes);
      this.#ages.add(written.segment, this.#sizes.get(written.segment) ?? 0, appends[0]?.receivedAt ?? 0);
    } catch (error) {
      this.#pendingBytes -= bytes;
      this.#failed(error);
      for (const append of appends) {
        append.reject(this.#refuse(DISK_ERROR, error));
      }
      return;
    }
    this.#pendingBytes -= bytes;
    this.#recovered();
    let records = 0;
    for (const append of appends) {
      records += append.records;
      append.resolve();
    }
    this.#options.onSynced?.({ records, seconds: (performance.now() - started) / 1000 });
  }

  #grow(segment: number, bytes: number): void {
    this.#sizes.set(segment, (this.#sizes.get(segment) ?? 0) + bytes);
    this.#bytes += bytes;
  }

  #refusal(bytes: number): Refusal | null {
    if (this.#closed) {
      return CLOSED;
    }
    if (this.#bytes + this.#pendingBytes + bytes > this.#options.maxBytes) {
      return FULL;
    }
    if (this.#failure !== null && this.#options.clock.now() < this.#failure.retryAt) {
      return DISK_ERROR;
    }
    const low = this.#options.diskLow?.() ?? null;
    return low === null ? null : { reason: 'disk_low', message: low };
  }

  #refuse(refusal: Refusal, cause?: unknown): AppError {
    this.#options.onRefused?.(refusal.reason);
    return new AppError('ingest_unavailable', refusal.message, {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      details: { reason: refusal.reason },
      cause,
    });
  }

  #failed(error: unknown): void {
    if (this.#failure === null) {
      this.#options.logger.warn({ err: error }, 'the journal cannot be written; events are refused until it can');
    }
    const pauseMs = Math.min((this.#failure?.pauseMs ?? PAUSE_MS / 2) * 2, MAX_PAUSE_MS);
    const at = this.#options.clock.now();
    this.#failure = { at, pauseMs, retryAt: at + pauseMs };
  }

  #recovered(): void {
    if (this.#failure !== null) {
      this.#failure = null;
      this.#options.logger.info('the journal can be written again');
    }
  }
}

const CLOSED: Refusal = { reason: 'journal_closed', message: 'The service is shutting down; send the event again.' };
const FULL: Refusal = {
  reason: 'journal_full',
  message:
    'The journal has reached its maximum size (journal.maxBytes) because the store does not keep up; send the event again later.',
};
const DISK_ERROR: Refusal = {
  reason: 'disk_error',
  message: 'The journal cannot be written at present; send the event again later.',
};
