import type { BatchStore } from '../../../domain/ports/batch-store.ts';
import type { Logger } from '../../../observability/logger.ts';
import type { Sleep } from '../../../lib/back-off.ts';
import type { JournalPosition } from '../../intake/journal/segment.ts';
import type { BatchSourceOptions } from './batch-source.ts';

export interface DigestLoopOptions extends BatchSourceOptions {
  readonly logger: Pick<Logger, 'error' | 'warn' | 'info'>;
  readonly store: BatchStore;
  /** Bounds of one batch. */
  readonly maxRecords: number;
  readonly maxBytes: number;
  /** Least time between the beginnings of two small batches, milliseconds; see `Gathering`. Default 0. */
  readonly gatherMs?: number;
  readonly onProgress: (progress: DigestProgress) => void;
  /** Called with the reason after several failed attempts; with null after recovery. */
  readonly onHeldUp?: (reason: string | null) => void;
  readonly random?: () => number;
  readonly sleep?: Sleep;
  /** After this many failures in a row the loop ends and `idle` throws; default: it tries for ever. */
  readonly maxAttempts?: number;
}

/** Progress since the last report. */
export interface DigestProgress {
  /** Everything before it is in the store or set aside. */
  readonly position: JournalPosition;
  /** Segments deleted since the last report. */
  readonly removedSegments: readonly number[];
  /** Null when only segments were removed or damage was skipped. */
  readonly batch: {
    readonly records: number;
    readonly stored: number;
    readonly duplicates: number;
    readonly newErrors: number;
    /** From its first byte read to the store's answer. */
    readonly seconds: number;
  } | null;
}
