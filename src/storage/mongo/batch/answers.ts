import { AppError } from '../../../domain/app-error.ts';
import {
  BATCH_COLLECTIONS,
  type BatchCollection,
  type BatchCollectionName,
  type BatchCollections,
  type WriteAnswer,
  type WriteError,
} from '../engine/batch-collections.ts';

/** Server code: another document has the same `_id`. */
const DUPLICATE_KEY = 11000;

/**
 * Server codes for a document that can never be stored. They mean bad value, unreadable, wrong type, invalid BSON,
 * fails validation, too large, key too long. Other codes may be temporary.
 */
const NEVER = new Set([2, 9, 14, 22, 121, 10334, 17280]);

/**
 * Error for a document that the database will never store. Not an AppError: the batch may contain an invalid record.
 */
export class RefusedDocument extends Error {
  constructor(error: WriteError) {
    super(`the database refuses a document (code ${error.code}): ${error.message}`);
    this.name = 'RefusedDocument';
  }
}

/** Creates the error of an unconfirmed batch, which must be applied again. */
export function unconfirmed(why: string, cause?: unknown): AppError {
  return new AppError('store_unavailable', `the database did not confirm the batch: ${why}`, {
    ...(cause === undefined ? {} : { cause }),
    retryAfterSeconds: 1,
  });
}

/**
 * Returns indexes of operations refused because their `_id` exists. Throws `store_unavailable` when the answer leaves
 * the state of the database unknown, `RefusedDocument` when a document is refused permanently.
 */
export function duplicatesIn(answer: WriteAnswer): number[] {
  const refused = answer.writeErrors.filter(({ code }) => code !== DUPLICATE_KEY);
  const concern = answer.writeConcernError;
  // A write-concern error counts beside duplicates too: nothing is confirmed.
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

/** Wraps collections: without an answer they throw `store_unavailable`. */
export function confirmedCollections(collections: BatchCollections): BatchCollections {
  const entries = BATCH_COLLECTIONS.map((name): [string, BatchCollection] => {
    const inner = collections[name];
    return [
      name,
      {
        insertMany: (documents, query) => orUnconfirmed(inner.insertMany(documents, query)),
        updateEach: (operations, query) => orUnconfirmed(inner.updateEach(operations, query)),
        updateMany: (filter, update) => orUnconfirmed(inner.updateMany(filter, update)),
        deleteMany: (filter, query) => orUnconfirmed(inner.deleteMany(filter, query)),
        findOneAndUpdate: (filter, update, upsert) => orUnconfirmed(inner.findOneAndUpdate(filter, update, upsert)),
        find: (filter, projection, concern, query, limit) =>
          orUnconfirmed(inner.find(filter, projection, concern, query, limit)),
      },
    ];
  });
  return Object.fromEntries(entries) as Record<BatchCollectionName, BatchCollection>;
}

/** Runs steps; any failure means that the batch must be applied again. */
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
