import type { DigestedBatch, OutcomeCount } from '../../domain/ingest/digest.ts';
import type { DigestedSession } from '../../domain/releases/session.ts';
import type { DigestedReport } from '../../domain/events/user-report.ts';
import type { JournalRecord } from '../intake/journal-record.ts';
import { PackedEvents, type UnpackedEvent } from './packed-events.ts';

export interface DigestedRecord {
  /** Null when the record carries outcomes only, or an invalid event. */
  readonly event: UnpackedEvent | null;
  readonly outcomes: readonly OutcomeCount[];
  /** Absent: the record carries none. */
  readonly session?: DigestedSession;
  /** Absent: the record carries none. */
  readonly report?: DigestedReport;
  /** Request to be forwarded, with a copy of its body; absent: the record carries none. */
  readonly forward?: JournalRecord;
}

/**
 * Converts a record to the form of the store. It is pure, so that a replay gives the same result. An exception means
 * that the record cannot be digested and is set aside. The body may be a view of a reused buffer: the result must not
 * refer to it.
 */
export type DigestRecord = (record: JournalRecord) => DigestedRecord;

/**
 * As `DigestRecord`, but may wait for what builds uploaded: then the result depends on that too, and the store keeps the
 * one that it got first. Rejects with `store_unavailable` when the store does not answer.
 */
export type DigestMappedRecord = (record: JournalRecord) => DigestedRecord | Promise<DigestedRecord>;

/** Reason why an item is not stored; the store counts stored ones. */
export interface ItemOutcome extends Pick<OutcomeCount, 'category' | 'quantity'> {
  readonly outcome: 'filtered' | 'invalid';
  readonly reason: string;
}

/** Digested item, or the reason why it is not stored. */
export type DigestedItem = Pick<DigestedRecord, 'session' | 'report'> & { readonly outcome: ItemOutcome | null };

/** Digested records of a batch. */
export class GrowingBatch {
  readonly #events = new PackedEvents();
  readonly #outcomes: OutcomeCount[] = [];
  readonly #sessions: DigestedSession[] = [];
  readonly #reports: DigestedReport[] = [];
  /** Requests to be forwarded. They are no part of the batch for the store. */
  readonly forwards: JournalRecord[] = [];

  /** Adds one digested record. */
  add({ event, outcomes, session, report, forward }: DigestedRecord): void {
    if (event !== null) this.#events.add(event);
    if (session !== undefined) this.#sessions.push(session);
    if (report !== undefined) this.#reports.push(report);
    if (forward !== undefined) this.forwards.push(forward);
    this.#outcomes.push(...outcomes);
  }

  /** Returns the batch for the store. Nothing can be added afterwards. */
  finish(): DigestedBatch {
    return {
      ...this.#events.finish(),
      outcomes: this.#outcomes,
      sessions: this.#sessions,
      reports: this.#reports,
    };
  }
}
