import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../../domain/app-error.ts';
import { isDuplicateKey } from './mongo-errors.ts';
import type { Collections } from './collections.ts';
import { writing } from './operation-options.ts';

/** At the first use the counter is made, and moved the next time; what another one makes may show a moment later. */
const ATTEMPTS = 10;
/** Milliseconds before the second attempt after a lost race; each further delay is longer by the same amount. */
const PAUSE_MS = 5;

export type CounterName = 'users' | 'tokens' | 'projects' | 'client_keys';

/** The next number of a counter: from 1, never given twice; what a crash or a lost race leaves unused is lost. */
export async function nextId({ counters }: Pick<Collections, 'counters'>, name: CounterName): Promise<number> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const counter = await counters.findOneAndUpdate(
      { _id: name },
      { $inc: { next: 1 } },
      { ...writing('counters.next'), returnDocument: 'after' },
    );
    if (counter !== null) return counter.next;
    // Not by upserts: of several first ones at once, not every engine tells each what it really stored.
    try {
      await counters.insertOne({ _id: name, next: 0 }, writing('counters.next'));
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      await wait(PAUSE_MS * attempt);
    }
  }
  throw new AppError('store_unavailable', `the counter of ${name} cannot be moved`, { retryAfterSeconds: 1 });
}
