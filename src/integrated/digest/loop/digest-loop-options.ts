import type { BatchStore } from '../../../domain/ports/stores/batch-store.ts';
import type { Logger } from '../../../observability/logger.ts';
import type { Sleep } from '../../../lib/back-off.ts';
import type { JournalRecord } from '../../intake/journal-record.ts';
import type { JournalPosition } from '../../intake/journal/segment.ts';
import type { BatchSourceOptions } from './batch-source.ts';

/** Maximum records of a batch, and bytes of them. Others within a factor of four change little (ADR 10). */
export const BATCH_BOUNDS = { maxRecords: 1000, maxBytes: 4 * 1024 * 1024 } as const;

export interface DigestLoopOptions extends BatchSourceOptions {
  readonly logger: Pick<Logger, 'error' | 'warn' | 'info'>;
  readonly store: BatchStore;
  /** Bounds of one batch. */
  readonly maxRecords: number;
  readonly maxBytes: number;
  /** Minimum milliseconds between the starts of two small batches; see `BatchDelay`. Default 0. */
  readonly gatherMs?: number;
  /**
   * Takes requests to be forwarded, durably, after the store has their batch and before it is confirmed: at least once.
   * Never rejects. Default: they are dropped.
   */
  readonly forward?: (records: readonly JournalRecord[]) => Promise<void>;
  readonly onProgress: (progress: DigestProgress) => void;
  /** Called with the reason after several failed attempts; with null after recovery. */
  readonly onHeldUp?: (reason: string | null) => void;
  readonly random?: () => number;
  readonly sleep?: Sleep;
  /** Failures in a row after which the loop ends and `idle` throws. Default: unlimited. */
  readonly maxAttempts?: number;
}

/** Progress since the last report. */
export interface DigestProgress {
  /** Position up to which everything is in the store or set aside. */
  readonly position: JournalPosition;
  /** Segments deleted since the last report. */
  readonly removedSegments: readonly number[];
  /** Null when only segments were removed or damage was skipped. */
  readonly batch: {
    readonly records: number;
    readonly stored: number;
    readonly duplicates: number;
    readonly newErrors: number;
    /** Seconds from reading its first byte to the store's answer. */
    readonly seconds: number;
  } | null;
}
