import assert from 'node:assert/strict';
import type { mongo } from 'mongoose';
import { openStore } from '../../src/storage/open/open-store.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { describeOnMongo, withClient } from '../support/mongo-engine.ts';
import { ReadyDatabase } from '../support/ready-databases.ts';

const [A, B] = ['a'.repeat(32), 'b'.repeat(32)];
const MINUTE = 60_000;

describeOnMongo('gateways that share a MongoDB store', function (uri) {
  this.timeout(180_000);
  let database: ReadyDatabase;
  const opened: Store[] = [];
  let url = '';
  const open = async (): Promise<Store> => {
    const store = await openStore({ url, dataDir: '/nowhere' });
    opened.push(store);
    return store;
  };
  const gateways = <T>(work: (collection: mongo.Collection<{ _id: string; at: Date; seen: number }>) => Promise<T>) =>
    withClient(url, (client) => work(client.db().collection('gateways')));
  const ago = (milliseconds: number) => new Date(Date.now() - milliseconds);
  const live = async (store: Store): Promise<string[]> =>
    (await store.listGateways()).map(({ gatewayId }) => gatewayId);

  beforeEach(async () => {
    database = await ReadyDatabase.take(uri).setUp();
    ({ url } = database);
  });
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
    await database.releaseAll();
  });

  it('see each other, with version and clock, until they stop', async () => {
    const [store, elsewhere] = [await open(), await open()];
    assert.deepEqual(await elsewhere.listGateways(), []);
    await store.announceGateway(B, '1.0.0');
    await store.announceGateway(A, '1.0.0');
    await store.announceGateway(B, '1.0.1');
    const seen = await elsewhere.listGateways();
    assert.deepEqual(
      seen.map(({ gatewayId, version }) => [gatewayId, version]),
      [
        [A, '1.0.0'],
        [B, '1.0.1'],
      ],
    );
    for (const { silentMs, aheadMs } of seen) assert.ok(silentMs < MINUTE / 2 && Math.abs(aheadMs) < MINUTE / 2);
    await store.retireGateway(A);
    await store.retireGateway(A);
    assert.deepEqual(await live(elsewhere), [B]);
  });

  it('show how far their clocks differ from the clock of the store', async () => {
    const store = await open();
    await store.announceGateway(A, '1.0.0');
    const [before] = await store.listGateways();
    await gateways((all) => all.updateOne({ _id: A }, { $inc: { seen: -90_000 } }));
    const [after] = await store.listGateways();
    assert.equal((before?.aheadMs ?? 0) - (after?.aheadMs ?? 0), 90_000);
    assert.ok((after?.silentMs ?? MINUTE) < MINUTE, 'a wrong clock makes nobody seem gone');
  });

  it('count as stopped after a minute of silence, and are removed after an hour', async () => {
    const store = await open();
    await store.announceGateway(A, '1.0.0');
    await gateways((all) => all.updateOne({ _id: A }, { $set: { at: ago(MINUTE + 1000) } }));
    assert.deepEqual(await live(store), []);
    await store.announceGateway(B, '1.0.0');
    assert.equal(await gateways((all) => all.countDocuments({})), 2);
    await gateways((all) => all.updateOne({ _id: A }, { $set: { at: ago(61 * MINUTE) } }));
    await store.announceGateway(B, '1.0.0');
    assert.deepEqual(await gateways((all) => all.distinct('_id')), [B]);
    await store.announceGateway(A, '1.0.0');
    assert.deepEqual(await live(store), [A, B], 'one that was only cut off is back');
  });
});
