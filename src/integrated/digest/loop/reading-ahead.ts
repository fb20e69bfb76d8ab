import type { JournalPosition } from '../../intake/journal/segment.ts';
import type { BatchSource, CutBatch, CutTerms } from './batch-source.ts';

interface Ahead {
  readonly after: JournalPosition;
  readonly terms: CutTerms;
  readonly batch: CutBatch;
}

/**
 * Digests the next batch while a remote store applies the current one. The result is recorded and sent only in its
 * turn, and discarded when the position or the terms have changed. A store on the same thread answers before reading
 * ahead starts, so nothing is read ahead for it.
 */
export class ReadingAhead {
  readonly #source: Pick<BatchSource, 'readAhead'>;
  #reading = new AbortController();
  #ahead: Ahead | null = null;

  constructor(source: Pick<BatchSource, 'readAhead'>) {
    this.#source = source;
  }

  /** Returns the result of `work` after reading ahead has ended. */
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

  /** Stops reading ahead at its next turn of the event loop. */
  giveUp(): void {
    this.#reading.abort();
  }

  /** Returns the batch read ahead and clears it; null when position or terms differ. */
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

  /** Ignores errors: they occur again, and are reported, when the batch is cut in its turn. */
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
