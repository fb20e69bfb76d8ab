import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../../../domain/app-error.ts';
import type { KindLabel } from '../../records/kinds.ts';
import { isDuplicateKey } from './mongo-errors.ts';
import type { Collections } from './collections.ts';
import { writing } from './operation-options.ts';

/**
 * Maximum attempts. The first use creates the counter, the next attempt increments it; a counter created elsewhere may
 * appear a moment later.
 */
const ATTEMPTS = 10;
/** Milliseconds before the second attempt after a lost race; each further delay is longer by the same amount. */
const PAUSE_MS = 5;

export type CounterName =
  'projects' | 'import_sources' | 'errors' | 'notes' | 'linked_issues' | 'saved_views' | 'discarded_groups';

/**
 * Returns the next number of a counter: from 1, never assigned twice. Numbers unused after a crash or a lost race are
 * skipped.
 */
export async function nextId(
  { counters }: Pick<Collections, 'counters'>,
  name: CounterName | KindLabel,
): Promise<number> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const counter = await counters.findOneAndUpdate(
      { _id: name },
      { $inc: { next: 1 } },
      { ...writing('counters.next'), returnDocument: 'after' },
    );
    if (counter !== null) return counter.next;
    // Inserts instead of an upsert: of several first upserts at once, some engines return a number that was not stored.
    try {
      await counters.insertOne({ _id: name, next: 0 }, writing('counters.next'));
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      await wait(PAUSE_MS * attempt);
    }
  }
  throw new AppError('store_unavailable', `the counter of ${name} cannot be moved`, { retryAfterSeconds: 1 });
}
