import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { openStore } from '../../src/storage/open/open-store.ts';
import { FaultProxy } from '../support/fault-proxy.ts';
import { describeOnMongo, TestDatabases } from '../support/mongo-engine.ts';
import { makeProject } from '../support/store-data.ts';
import { makeDataDir } from '../support/store-harness.ts';

/** Nothing may take longer to fail, in milliseconds: some three seconds each for a server that is sought and one that is silent, and air for a busy machine; below the 30 s of a connection that nobody watches. */
const PATIENCE_MS = 25_000;
/** What NotWritablePrimary means to a driver, and others that come with an election. */
const NOT_NOW = [10_107, 13_435, 91, 189, 11_600];

describeOnMongo('a MongoDB store whose database goes away', function (uri) {
  this.timeout(180_000);
  const databases = new TestDatabases(uri);
  let dataDir = '';
  let proxy: FaultProxy;
  let store: Store;

  before(async () => {
    dataDir = await makeDataDir();
    proxy = await FaultProxy.start({ engine: uri });
    store = await openStore({ url: proxy.uri(databases.name()), dataDir });
    await makeProject(store);
  });
  afterEach(async () => {
    proxy.restore();
  });
  after(async () => {
    await store.close();
    await proxy.close();
    await databases.dropAll();
    await rm(dataDir, { recursive: true, force: true });
  });

  const isBack = async () => {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      try {
        assert.equal((await store.listProjects()).length, 1);
        return;
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await wait(50);
      }
    }
  };

  const failsSoon = async (work: () => Promise<unknown>) => {
    const began = Date.now();
    await assert.rejects(work(), (error: Error & { code?: string; retryAfterSeconds?: number }) => {
      assert.equal(error.code, 'store_unavailable', error.message);
      assert.ok((error.retryAfterSeconds ?? 0) > 0);
      assert.match(error.message, new RegExp(`127\\.0\\.0\\.1:${proxy.port}`));
      return true;
    });
    assert.ok(Date.now() - began < PATIENCE_MS, `it took ${Date.now() - began} ms`);
  };

  it('answers store_unavailable while nothing listens, and recovers', async () => {
    proxy.refuse();
    await failsSoon(() => store.ping());
    await failsSoon(() => store.setMeta('a', 'b'));
    proxy.restore();
    await isBack();
  });

  it('answers store_unavailable while no byte passes', async () => {
    proxy.blackhole();
    await failsSoon(() => store.listProjects());
    await failsSoon(() => store.ping());
    proxy.restore();
    await isBack();
  });

  it('survives the loss of its connections', async () => {
    proxy.cut();
    await isBack();
  });

  for (const code of NOT_NOW) {
    it(`treats the code ${code} as an outage, not as an error of the write`, async () => {
      const body = { ok: 0, code, errmsg: 'not now' };
      proxy.inject({ command: 'update', fault: { kind: 'answer', body } });
      await failsSoon(() => store.setMeta('a', String(code)));
      await store.setMeta('a', 'after');
      assert.equal(await store.getMeta('a'), 'after');
    });
  }

  it('treats a write that reached no majority as not confirmed', async () => {
    const members = { writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' } };
    proxy.inject({ command: 'update', fault: { kind: 'amend', members } });
    await failsSoon(() => store.setMeta('a', 'majority'));
    await store.setMeta('a', 'majority');
    assert.equal(await store.getMeta('a'), 'majority');
  });
});
