import { AppError } from '../../../domain/app-error.ts';
import {
  BATCH_COLLECTIONS,
  type BatchCollection,
  type BatchCollectionName,
  type BatchCollections,
  type WriteAnswer,
  type WriteError,
} from './batch-collections.ts';

/** Another document has the same `_id`. */
const DUPLICATE_KEY = 11000;

/**
 * Codes by which the database says that a document can never be stored: bad value, unreadable, wrong type,
 * invalid BSON, fails validation, too large, key too long. Any other code may pass.
 */
const NEVER = new Set([2, 9, 14, 22, 121, 10334, 17280]);

/** A document the database will never take. Not an AppError: the batch may hold poison. */
export class RefusedDocument extends Error {
  constructor(error: WriteError) {
    super(`the database refuses a document (code ${error.code}): ${error.message}`);
    this.name = 'RefusedDocument';
  }
}

/** Nothing is confirmed: the same batch must come again. */
export function unconfirmed(why: string, cause?: unknown): AppError {
  return new AppError('store_unavailable', `the database did not confirm the batch: ${why}`, {
    ...(cause === undefined ? {} : { cause }),
    retryAfterSeconds: 1,
  });
}

/**
 * Positions of the operations that were refused because their `_id` exists. Throws `store_unavailable` when
 * anything in the answer leaves open what the database holds, `RefusedDocument` when it refuses one for good.
 */
export function duplicatesIn(answer: WriteAnswer): number[] {
  const refused = answer.writeErrors.filter(({ code }) => code !== DUPLICATE_KEY);
  const concern = answer.writeConcernError;
  // Also beside duplicates: nothing is confirmed.
  if (concern !== null) {
    throw unconfirmed(concern);
  }
  const passing = refused.find(({ code }) => !NEVER.has(code));
  if (passing !== undefined) {
    throw unconfirmed(`code ${passing.code}, ${passing.message}`);
  }
  if (refused[0] !== undefined) {
    throw new RefusedDocument(refused[0]);
  }
  return answer.writeErrors.map(({ index }) => index);
}

/** The same collections, but where there is no answer they throw `store_unavailable`. */
export function confirmedCollections(collections: BatchCollections): BatchCollections {
  const entries = BATCH_COLLECTIONS.map((name): [string, BatchCollection] => {
    const inner = collections[name];
    return [
      name,
      {
        insertMany: (documents) => orUnconfirmed(inner.insertMany(documents)),
        updateEach: (operations) => orUnconfirmed(inner.updateEach(operations)),
        updateMany: (filter, update) => orUnconfirmed(inner.updateMany(filter, update)),
        findOneAndUpdate: (filter, update, upsert) => orUnconfirmed(inner.findOneAndUpdate(filter, update, upsert)),
        find: (filter, projection, concern) => orUnconfirmed(inner.find(filter, projection, concern)),
      },
    ];
  });
  return Object.fromEntries(entries) as Record<BatchCollectionName, BatchCollection>;
}

/** Runs steps whose failure, whatever it is, means that the batch must come again. */
export async function orUnconfirmed<T>(steps: Promise<T>): Promise<T> {
  try {
    return await steps;
  } catch (error) {
    if (error instanceof AppError) {
      throw error;
    }
    throw unconfirmed(error instanceof Error ? error.message : 'unknown error', error);
  }
}
