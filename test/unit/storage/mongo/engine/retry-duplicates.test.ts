import assert from 'node:assert/strict';
import { mongo } from 'mongoose';
import { retryFirstUpsert, ignoreDuplicates } from '../../../../../src/storage/mongo/engine/retry-duplicates.ts';

/** Makes the error of a bulk with these codes of refused writes. The driver's error has the first of them. */
function bulkError(codes: readonly number[], concern?: string): mongo.MongoBulkWriteError {
  const writeErrors = codes.map((code, index) => ({ code, index }) as unknown as mongo.WriteError);
  const result = {
    getWriteErrors: () => writeErrors,
    getWriteConcernError: () => (concern === undefined ? undefined : { errmsg: concern }),
  } as unknown as mongo.BulkWriteResult;
  return new mongo.MongoBulkWriteError({ message: 'refused', code: codes[0] ?? 64, writeErrors }, result);
}

describe('writes that meet others', () => {
  it('take rows that are stored already for written, and nothing else', async () => {
    await ignoreDuplicates(Promise.resolve());
    await ignoreDuplicates(Promise.reject(bulkError([11_000, 11_000])));
    for (const error of [bulkError([11_000, 112]), bulkError([11_000], 'no majority'), bulkError([], 'no majority')]) {
      await assert.rejects(ignoreDuplicates(Promise.reject(error)), error);
    }
  });

  it('are repeated once where another one was faster', async () => {
    let refusals = 1;
    const write = () => {
      refusals -= 1;
      return refusals < 0 ? Promise.resolve('written') : Promise.reject(bulkError([11_000]));
    };
    assert.equal(await retryFirstUpsert(write), 'written');
    refusals = 2;
    await assert.rejects(retryFirstUpsert(write));
    await assert.rejects(retryFirstUpsert(() => Promise.reject(bulkError([112]))));
  });
});
