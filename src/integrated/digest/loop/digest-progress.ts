import type { JournalPosition } from '../../intake/journal/segment.ts';

/** What the digest has done since it last told. */
export interface DigestProgress {
  /** Everything before it is in the store or set aside. */
  readonly position: JournalPosition;
  /** Segments that went from the disk since the last report. */
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
