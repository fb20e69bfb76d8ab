import assert from 'node:assert/strict';
import mongoose, { type Connection } from 'mongoose';
import { Numbers } from '../../../../src/storage/mongo/batch/numbers.ts';
import { batchCollections } from '../../../../src/storage/mongo/batch/mongo-collections.ts';
import { COLLECTIONS, openCollections } from '../../../../src/storage/mongo/engine/collections.ts';
import { nextId } from '../../../../src/storage/mongo/engine/next-id.ts';
import { describeOnMongo, TestDatabases } from '../../../support/mongo-engine.ts';

const PROCESSES = 4;
/** First uses at once meet seldom enough that one round proves nothing. */
const ROUNDS = 25;

/**
 * The engine for tests answers each of several first `findOneAndUpdate` upserts with the document it would have
 * inserted alone, although it stores all of them; mongod refuses all but one with 11000.
 */
describeOnMongo('counters that several processes use for the first time at once', function (uri) {
  this.timeout(120_000);
  const databases = new TestDatabases(uri);
  let connections: Connection[];

  before(async () => {
    const url = databases.create();
    connections = await Promise.all(
      Array.from({ length: PROCESSES }, () => mongoose.createConnection(url, { autoIndex: false }).asPromise()),
    );
  });
  after(async () => {
    await Promise.all(connections.map((connection) => connection.close()));
    await databases.dropAll();
  });
  beforeEach(forget);

  async function forget(): Promise<void> {
    await connections[0]?.collection(COLLECTIONS.counters.name).deleteMany({});
  }

  it('give each error a number of its own', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await forget();
      const taken = await Promise.all(
        connections.map((connection) => new Numbers(batchCollections(connection).counters).take(70)),
      );
      const numbers = taken.flat();
      assert.equal(new Set(numbers).size, PROCESSES * 70);
      assert.equal(Math.min(...numbers), 1);
    }
  });

  it('give each row an id of its own, from 1', async () => {
    const collections = connections.map(openCollections);
    for (let round = 0; round < ROUNDS; round += 1) {
      await forget();
      const ids = await Promise.all(collections.map((each) => nextId(each, 'projects')));
      assert.deepEqual(ids.sort(), [1, 2, 3, 4]);
    }
  });
});
