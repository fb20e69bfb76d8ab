import type { JournalRecord } from './journal-record.ts';

/** Durable destination of records. Resolves when they are durable; rejects with `ingest_unavailable`. */
export interface RecordSink {
  append(records: readonly JournalRecord[]): Promise<void>;
}
