import type { JournalPosition } from '../../intake/journal/segment.ts';
import type { BatchSource, CutBatch, CutTerms } from './batch-source.ts';

interface Ahead {
  readonly after: JournalPosition;
  readonly terms: CutTerms;
  readonly batch: CutBatch;
}

/**
 * Digests the next batch while a store at the other end of a network is busy with the one before. Nothing is decided
 * by it: what was read ahead is recorded and sent only when its turn comes, and thrown away when anything is different by
 * then. A store that works on this very thread has answered before the reading begins.
 */
export class ReadingAhead {
  readonly #source: Pick<BatchSource, 'readAhead'>;
  #reading = new AbortController();
  #ahead: Ahead | null = null;

  constructor(source: Pick<BatchSource, 'readAhead'>) {
    this.#source = source;
  }

  /** Answers what `work` answers, once nothing is being read any more. */
  async during<T>(work: Promise<T>, after: JournalPosition, terms: CutTerms): Promise<T> {
    this.#ahead = null;
    this.#reading = new AbortController();
    const over = work.then(
      () => true,
      () => true,
    );
    const reading = this.#readUnless(over, after, terms, this.#reading.signal);
    try {
      const result = await work;
      const batch = await reading;
      this.#ahead = batch === null ? null : { after, terms, batch };
      return result;
    } catch (error) {
      this.giveUp();
      await reading;
      throw error;
    }
  }

  /** Ends the reading at its next turn. */
  giveUp(): void {
    this.#reading.abort();
  }

  /** What was read ahead, if it is the very batch that is wanted now; it is given once. */
  take(after: JournalPosition, terms: CutTerms): CutBatch | null {
    const ahead = this.#ahead;
    this.#ahead = null;
    const same =
      ahead !== null &&
      ahead.after.segment === after.segment &&
      ahead.after.offset === after.offset &&
      ahead.terms.journalId === terms.journalId &&
      ahead.terms.n === terms.n &&
      ahead.terms.maxRecords === terms.maxRecords;
    return same ? ahead.batch : null;
  }

  /** Whatever goes wrong here goes wrong again, and is told, when the batch is cut in its turn. */
  async #readUnless(
    over: Promise<boolean>,
    after: JournalPosition,
    terms: CutTerms,
    aside: AbortSignal,
  ): Promise<CutBatch | null> {
    const turn = new Promise<boolean>((resolve) => setImmediate(resolve, false));
    if ((await Promise.race([over, turn])) || aside.aborted) return null;
    try {
      return await this.#source.readAhead(after, terms, aside);
    } catch {
      return null;
    }
  }
}
