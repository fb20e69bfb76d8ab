import type { DigestedEvent, OutcomeCount } from '../../domain/digest.ts';
import type { DigestedSession } from '../../domain/session.ts';
import type { DigestedReport } from '../../domain/user-report.ts';
import type { JournalRecord } from '../intake/journal-record.ts';

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

/** Why an item is not kept; the store counts those that are. */
export interface ItemOutcome extends Pick<OutcomeCount, 'category' | 'quantity'> {
  readonly outcome: 'filtered' | 'invalid';
  readonly reason: string;
}

/** What an item comes to, or why to nothing. */
export type DigestedItem = Pick<DigestedRecord, 'session' | 'report'> & { readonly fate: ItemOutcome | null };

/** What the store takes of several records; the lists grow. */
export interface GrowingBatch {
  readonly events: DigestedEvent[];
  readonly outcomes: OutcomeCount[];
  readonly sessions: DigestedSession[];
  readonly reports: DigestedReport[];
}

/** Adds what one record came to. */
export function addDigested(batch: GrowingBatch, { event, outcomes, session, report }: DigestedRecord): void {
  if (event !== null) batch.events.push(event);
  if (session !== undefined) batch.sessions.push(session);
  if (report !== undefined) batch.reports.push(report);
  batch.outcomes.push(...outcomes);
}

export function emptyBatch(): GrowingBatch {
  return { events: [], outcomes: [], sessions: [], reports: [] };
}
