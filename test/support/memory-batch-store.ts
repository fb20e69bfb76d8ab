import type { BatchId, BatchResult, DigestedBatch, DigestedEvent } from '../../src/domain/ingest/digest.ts';
import type { BatchStore } from '../../src/domain/ports/stores/batch-store.ts';

/**
 * In-memory store with the exactly-once rules. Each batch applies completely or not at all.
 * `before` and `after` run around the moment a batch takes effect.
 * An exception in `before` is a refusal, and one in `after` a lost answer.
 */
export class MemoryBatchStore implements BatchStore {
  /** Number of times each event was counted, by `project|event id`; correct is 1. */
  readonly counted = new Map<string, number>();
  /** Events per group hash, like the count of an error. */
  readonly counts = new Map<string, number>();
  /** Quantities by `project|category|outcome|reason`. */
  readonly outcomes = new Map<string, number>();
  readonly journals = new Map<string, { n: number; hash: string }>();
  readonly batches: { batchId: BatchId; events: number }[] = [];
  duplicates = 0;
  before: (batchId: BatchId, batch: DigestedBatch) => Promise<void> | void = () => undefined;
  after: (batchId: BatchId, batch: DigestedBatch) => Promise<void> | void = () => undefined;
  /** Called with the next batch before it takes effect. */
  refuse: (batchId: BatchId, batch: DigestedBatch) => void = () => undefined;
  beforeLastBatch: () => Promise<void> | void = () => undefined;

  async lastBatch(journalId: string): Promise<number> {
    await this.beforeLastBatch();
    return this.journals.get(journalId)?.n ?? 0;
  }

  async applyBatch(batchId: BatchId, batch: DigestedBatch): Promise<BatchResult> {
    await this.before(batchId, batch);
    const result = this.#apply(batchId, batch);
    await this.after(batchId, batch);
    return result;
  }

  async completeBatch({ journalId, n, hash }: BatchId): Promise<BatchResult | null> {
    await this.beforeLastBatch();
    const last = this.journals.get(journalId);
    return last?.n === n && last.hash === hash ? { kind: 'already_applied' } : null;
  }

  #apply(batchId: BatchId, batch: DigestedBatch): BatchResult {
    const last = this.journals.get(batchId.journalId) ?? { n: 0, hash: '' };
    if (batchId.n === last.n && batchId.hash === last.hash) {
      return { kind: 'already_applied' };
    }
    if (batchId.n !== last.n + 1) {
      return { kind: 'foreign' };
    }
    this.refuse(batchId, batch);
    this.journals.set(batchId.journalId, { n: batchId.n, hash: batchId.hash });
    this.batches.push({ batchId, events: batch.events.length });
    const known = this.counts.size;
    const stored = batch.events.filter((event) => this.#add(event)).length;
    for (const { projectId, category, outcome, reason, quantity } of batch.outcomes) {
      const key = `${projectId}|${category}|${outcome}|${reason}`;
      this.outcomes.set(key, (this.outcomes.get(key) ?? 0) + quantity);
    }
    return {
      kind: 'applied',
      stored,
      duplicates: batch.events.length - stored,
      newErrors: this.counts.size - known,
    };
  }

  #add(event: DigestedEvent): boolean {
    const key = `${event.projectId}|${event.eventId}`;
    if (this.counted.has(key)) {
      this.duplicates += 1;
      return false;
    }
    this.counted.set(key, 1);
    this.counts.set(event.groupHash, (this.counts.get(event.groupHash) ?? 0) + 1);
    return true;
  }
}
