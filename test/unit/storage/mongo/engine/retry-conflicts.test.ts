import assert from 'node:assert/strict';
import { mongo } from 'mongoose';
import { retryConflicts } from '../../../../../src/storage/mongo/engine/retry-conflicts.ts';

interface Row {
  _id: number;
}

const refusal = (code: number) => new mongo.MongoServerError({ message: 'refused', code, ok: 0 });
const DEADLOCK = refusal(16_908_292);

/** A collection whose writes meet these errors one after the other, and go through then. */
function collectionWith(errors: readonly Error[]) {
  let calls = 0;
  const work = async (row: Row) => {
    const error = errors[calls];
    calls += 1;
    if (error !== undefined) throw error;
    return row;
  };
  const collection = { collectionName: 'rows', insertOne: work, insertMany: work };
  return {
    rows: retryConflicts(collection as unknown as mongo.Collection<Row>, async () => undefined),
    calls: () => calls,
  };
}

describe('conflicts of writes', () => {
  it('are resolved by sending the write of one document again', async () => {
    const { rows, calls } = collectionWith([DEADLOCK, refusal(112)]);
    assert.deepEqual(await rows.insertOne({ _id: 1 }), { _id: 1 });
    assert.equal(calls(), 3);
    assert.equal(rows.collectionName, 'rows');
  });

  it('end with what the lost race really was', async () => {
    const taken = refusal(11_000);
    const { rows, calls } = collectionWith([DEADLOCK, taken]);
    await assert.rejects(rows.insertOne({ _id: 1 }), taken);
    assert.equal(calls(), 2);
  });

  it('are reported when they never end, and where several documents may be written in part', async () => {
    const endless = collectionWith(Array.from({ length: 100 }, () => DEADLOCK));
    await assert.rejects(endless.rows.insertOne({ _id: 1 }), DEADLOCK);
    assert.ok(endless.calls() < 20);
    const many = collectionWith([DEADLOCK]);
    await assert.rejects(many.rows.insertMany([{ _id: 1 }]), DEADLOCK);
    assert.equal(many.calls(), 1);
  });
});
