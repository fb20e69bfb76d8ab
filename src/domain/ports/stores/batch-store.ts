import type { BatchId, BatchResult, DigestedBatch } from '../../ingest/digest.ts';

/**
 * Applies recorded batches of a journal exactly once, across crashes, retries and copied journals.
 * docs/architecture.md, "Counted exactly once", has the rules. No step may need a multi-document transaction.
 */
export interface BatchStore {
  /**
   * Number of the last confirmed batch of this journal, 0 for none. A starting journal discards recorded batches up to
   * it.
   */
  lastBatch(journalId: string): Promise<number>;
  /**
   * Applies the batch. Throws when nothing is confirmed: `store_unavailable` means retry with the identical batch;
   * other errors may come from a poisonous record. The payloads belong to the store afterwards.
   */
  applyBatch(batchId: BatchId, batch: DigestedBatch): Promise<BatchResult>;
  /**
   * Completes an earlier `applyBatch` of a batch whose records are no longer all readable. Null: nothing to complete;
   * the readable records may be applied under the same batch id, and the rest later. Throws `store_unavailable`.
   */
  completeBatch(batchId: BatchId): Promise<BatchResult | null>;
}
