import { mongo } from 'mongoose';
import { DUPLICATE_KEY, isDuplicateKey } from './mongo-errors.ts';

/**
 * Repeats an upsert once: if two first upserts race, the loser gets a duplicate-key error and its retry updates the row.
 */
export async function retryFirstUpsert<T>(write: () => Promise<T>): Promise<T> {
  return write().catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
    return write();
  });
}

/** Waits for an unordered insert of rows that may be stored already. Throws when anything else was refused too. */
export async function ignoreDuplicates(insert: Promise<unknown>): Promise<void> {
  await insert.catch((error: unknown) => {
    if (!hasOnlyDuplicates(error)) throw error;
  });
}

/** One answer may have duplicates, other refusals and a missing majority at once; the error tells the first of them. */
function hasOnlyDuplicates(error: unknown): boolean {
  if (!(error instanceof mongo.MongoBulkWriteError)) return isDuplicateKey(error);
  const refused = error.result.getWriteErrors();
  const isConfirmed = error.result.getWriteConcernError() === undefined;
  return isConfirmed && refused.length > 0 && refused.every(({ code }) => code === DUPLICATE_KEY);
}
