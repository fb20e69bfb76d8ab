import type { BatchMark, BatchResult, DigestedBatch } from '../digest.ts';

/**
 * Takes sealed batches of a journal, each exactly once, whatever crashes, repeats or copies come between.
 * The rules are in docs/architecture.md, "Counted exactly once"; no step may need a multi-document transaction.
 */
export interface BatchStore {
  /**
   * Number of the last batch of this journal that the store confirmed, 0 when it knows none. A journal
   * that starts up forgets sealed batches up to it.
   */
  lastBatch(journalId: string): Promise<number>;
  /**
   * Applies the batch. Throws when nothing is confirmed (`store_unavailable`: try again with the very same
   * batch; anything else may be poison in the batch). The payloads belong to the store afterwards.
   */
  applyBatch(mark: BatchMark, batch: DigestedBatch): Promise<BatchResult>;
  /**
   * For a batch whose records can no longer all be read: completes, without being given it again, what an earlier
   * `applyBatch` began. Null: there is nothing that could be completed; what can be read of the batch may be applied
   * under the same mark, and the rest later. Throws `store_unavailable`.
   */
  completeBatch(mark: BatchMark): Promise<BatchResult | null>;
}
