import type { BatchStore } from '../../../domain/ports/batch-store.ts';
import type { Logger } from '../../../observability/logger.ts';
import type { Sleep } from '../../../lib/back-off.ts';
import type { BatchSourceOptions } from './batch-source.ts';
import type { DigestProgress } from './digest-progress.ts';

export interface DigestLoopOptions extends BatchSourceOptions {
  readonly logger: Pick<Logger, 'error' | 'warn' | 'info'>;
  readonly store: BatchStore;
  /** Bounds of one batch. */
  readonly maxRecords: number;
  readonly maxBytes: number;
  /** Least time between the beginnings of two small batches, milliseconds; see `Gathering`. Default 0. */
  readonly gatherMs?: number;
  readonly onProgress: (progress: DigestProgress) => void;
  /** Told when the digest has been failing for some attempts, and why; null when it goes on. */
  readonly onHeldUp?: (reason: string | null) => void;
  readonly random?: () => number;
  readonly sleep?: Sleep;
  /** After this many failures in a row the loop ends and `idle` throws; default: it tries for ever. */
  readonly maxAttempts?: number;
}
