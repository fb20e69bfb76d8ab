import type { BatchId, BatchResult, DigestedBatch, DigestedEvent } from '../../src/domain/digest.ts';
import type { BatchStore } from '../../src/domain/ports/batch-store.ts';

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
  readonly batches: { mark: BatchId; events: number }[] = [];
  duplicates = 0;
  before: (mark: BatchId, batch: DigestedBatch) => Promise<void> | void = () => undefined;
  after: (mark: BatchId, batch: DigestedBatch) => Promise<void> | void = () => undefined;
  /** Called with the next batch before it takes effect. */
  refuse: (mark: BatchId, batch: DigestedBatch) => void = () => undefined;
  beforeLastBatch: () => Promise<void> | void = () => undefined;

  async lastBatch(journalId: string): Promise<number> {
    await this.beforeLastBatch();
    return this.journals.get(journalId)?.n ?? 0;
  }

  async applyBatch(mark: BatchId, batch: DigestedBatch): Promise<BatchResult> {
    await this.before(mark, batch);
    const result = this.#apply(mark, batch);
    await this.after(mark, batch);
    return result;
  }

  async completeBatch({ journalId, n, hash }: BatchId): Promise<BatchResult | null> {
    await this.beforeLastBatch();
    const last = this.journals.get(journalId);
    return last?.n === n && last.hash === hash ? { kind: 'already_applied' } : null;
  }

  #apply(mark: BatchId, batch: DigestedBatch): BatchResult {
    const last = this.journals.get(mark.journalId) ?? { n: 0, hash: '' };
    if (mark.n === last.n && mark.hash === last.hash) {
      return { kind: 'already_applied' };
    }
    if (mark.n !== last.n + 1) {
      return { kind: 'foreign' };
    }
    this.refuse(mark, batch);
    this.journals.set(mark.journalId, { n: mark.n, hash: mark.hash });
    this.batches.push({ mark, events: batch.events.length });
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
