import type { JournalRecord } from './journal-record.ts';

/** Where records go to be safe. Resolves when they survive; rejects with `ingest_unavailable`. */
export interface RecordSink {
  append(records: readonly JournalRecord[]): Promise<void>;
}
