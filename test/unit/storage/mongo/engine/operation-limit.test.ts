import assert from 'node:assert/strict';
import mongoose, { type Connection } from 'mongoose';
import { batchCollections } from '../../../../../src/storage/mongo/batch/mongo-collections.ts';
import { FaultProxy } from '../../../../support/fault-proxy.ts';
import { describeOnMongo, TestDatabases } from '../../../../support/mongo-engine.ts';

/** Short, so that the driver gives its connection up while the command is still being written. Milliseconds. */
const SOCKET_LIMIT_MS = 500;
/** Of the operation as a whole. */
const LIMIT_MS = 3000;
/** Far more than the buffers of two sockets hold. */
const BYTES = 24 * 1024 * 1024;

/** The driver alone waits for ever here. */
describeOnMongo('an operation whose connection dies while its command is being written', (engine) => {
  const databases = new TestDatabases(engine);
  let proxy: FaultProxy;
  let connection: Connection;

  before(async () => {
    proxy = await FaultProxy.start({ engine });
    const limits = `socketTimeoutMS=${SOCKET_LIMIT_MS}&connectTimeoutMS=${SOCKET_LIMIT_MS}&maxPoolSize=1`;
    const url = proxy.uri(databases.name(), limits);
    connection = await mongoose.createConnection(url, { autoIndex: false, heartbeatFrequencyMS: 500 }).asPromise();
  });
  after(async () => {
    await connection.close(true);
    await proxy.close();
    await databases.dropAll();
  });

  it('ends, and gives its place in the pool back', async function () {
    this.timeout(60_000);
    const { outcomes } = batchCollections(connection, LIMIT_MS);
    await outcomes.insertMany([{ _id: 'before' }]);
    proxy.deafen();
    await assert.rejects(
      outcomes.insertMany([
        { _id: 'large', bytes: Buffer.alloc(BYTES / 2) },
        { _id: 'second', bytes: Buffer.alloc(BYTES / 2) },
      ]),
    );
    proxy.restore();
    const patient = batchCollections(connection, 40_000).outcomes;
    await patient.insertMany([{ _id: 'after' }]);
    assert.equal((await patient.find({ _id: { $in: ['before', 'after'] } }, { _id: 1 }, 'majority')).length, 2);
  });
});
