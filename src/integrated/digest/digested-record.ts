import type { DigestedEvent, OutcomeCount } from '../../domain/digest.ts';
import type { DigestedSession } from '../../domain/session.ts';
import type { DigestedReport } from '../../domain/user-report.ts';
import type { JournalRecord } from '../intake/journal-record.ts';

export interface DigestedRecord {
  /** Null when the record carries outcomes only, or an invalid event. */
  readonly event: DigestedEvent | null;
  readonly outcomes: readonly OutcomeCount[];
  /** Absent: the record carries none. */
  readonly session?: DigestedSession;
  /** Absent: the record carries none. */
  readonly report?: DigestedReport;
}

/**
 * Converts a record to the form of the store. It is pure, so that a replay gives the same result. An exception means
 * that the record cannot be digested and is set aside. The body may be a view of a reused buffer: the result must not
 * refer to it.
 */
export type DigestRecord = (record: JournalRecord) => DigestedRecord;

/** Reason why an item is not stored; the store counts stored ones. */
export interface ItemOutcome extends Pick<OutcomeCount, 'category' | 'quantity'> {
  readonly outcome: 'filtered' | 'invalid';
  readonly reason: string;
}

/** Digested item, or the reason why it is not stored. */
export type DigestedItem = Pick<DigestedRecord, 'session' | 'report'> & { readonly outcome: ItemOutcome | null };

/** Digested records of a batch; the lists grow. */
export interface GrowingBatch {
  readonly events: DigestedEvent[];
  readonly outcomes: OutcomeCount[];
  readonly sessions: DigestedSession[];
  readonly reports: DigestedReport[];
}

/** Adds one digested record. */
export function addDigested(batch: GrowingBatch, { event, outcomes, session, report }: DigestedRecord): void {
  if (event !== null) batch.events.push(event);
  if (session !== undefined) batch.sessions.push(session);
  if (report !== undefined) batch.reports.push(report);
  batch.outcomes.push(...outcomes);
}

export function emptyBatch(): GrowingBatch {
  return { events: [], outcomes: [], sessions: [], reports: [] };
}
