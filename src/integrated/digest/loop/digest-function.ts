import type { DigestedEvent, OutcomeCount } from '../../../domain/digest.ts';
import type { DigestedSession } from '../../../domain/session.ts';
import type { DigestedReport } from '../../../domain/user-report.ts';
import type { JournalRecord } from '../../intake/journal-record.ts';

export interface DigestedRecord {
  /** Null when the record carries outcomes only, or an event that turned out to be none. */
  readonly event: DigestedEvent | null;
  readonly outcomes: readonly OutcomeCount[];
  /** Absent: the record carries none. */
  readonly session?: DigestedSession;
  /** Absent: the record carries none. */
  readonly report?: DigestedReport;
}

/**
 * Makes of a record what the store takes. A pure function of the record, so that a replay makes the same
 * again. Throwing means: this record cannot be digested and is set aside. The body may be a view of a buffer
 * that is reused: nothing of it may be kept.
 */
export type DigestRecord = (record: JournalRecord) => DigestedRecord;
