import { unconfirmed } from './answers.ts';
import type { BatchCollection } from '../engine/batch-collections.ts';

/** Server code: another process has created the counter. */
const DUPLICATE_KEY = 11000;
/** Minimum numbers taken from the counter at once: one round trip for many batches with few new errors. */
const BLOCK = 50;

/** Assigns public numbers of new errors. Numbers of a block left by a crash or a lost race are never used. */
export class Numbers {
  readonly #counters: BatchCollection;
  #next = 1;
  #last = 0;

  constructor(counters: BatchCollection) {
    this.#counters = counters;
  }

  /**
   * Returns `count` unique numbers. `skipReserved`: of the block held, none that was reserved since it was taken. Throws
   * `store_unavailable`.
   */
  async take(count: number, skipReserved = false): Promise<number[]> {
    if (skipReserved && count > 0 && this.#next <= this.#last) await this.#passReserved();
    const numbers: number[] = [];
    while (numbers.length < count) {
      if (this.#next > this.#last) {
        await this.#refill(Math.max(BLOCK, count - numbers.length));
      }
      numbers.push(this.#next);
      this.#next += 1;
    }
    return numbers;
  }

  /** A new block needs no look: the counter has passed what was reserved. */
  async #passReserved(): Promise<void> {
    const [counter] = await this.#counters.find({ _id: 'errors' }, { reserved: 1 }, 'local', 'counters.reserved');
    if (typeof counter?.reserved === 'number') this.#next = Math.max(this.#next, counter.reserved + 1);
  }

  async #refill(size: number): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) {
      const counter = await this.#counters.findOneAndUpdate({ _id: 'errors' }, { $inc: { next: size } }, false);
      if (counter !== 'duplicate' && counter !== null) {
        this.#last = counter.next as number;
        this.#next = this.#last - size + 1;
        return;
      }
      // Inserts instead of an upsert: of several first upserts at once, some engines return a number that was not
      // stored.
      const made = await this.#counters.insertMany([{ _id: 'errors', next: 0 }]);
      if (made.writeConcernError !== null || made.writeErrors.some(({ code }) => code !== DUPLICATE_KEY)) {
        throw unconfirmed(made.writeConcernError ?? 'the counter of error numbers is refused');
      }
    }
    throw unconfirmed('the counter of error numbers cannot be moved');
  }
}
