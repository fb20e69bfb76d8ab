import assert from 'node:assert/strict';
import { INGEST_KEY_BOUNDS, type IngestKeyBounds, IngestKeys } from '../../../src/auth/ingest-keys.ts';
import { KeyCache } from '../../../src/auth/key-cache.ts';
import { AppError, type ErrorCode } from '../../../src/domain/app-error.ts';
import { FakeKeyStore } from '../../support/fake-key-store.ts';

class TestClock {
  time = 1_000_000;
  now(): number {
    return this.time;
  }
}

function setUp(bounds: Partial<IngestKeyBounds> = {}, integratedEnabled = true) {
  const store = new FakeKeyStore();
  const clock = new TestClock();
  const logged: string[] = [];
  const keyCache = new KeyCache({
    store,
    file: null,
    clock,
    logger: { warn: () => logged.push('warn'), info: () => logged.push('info') },
  });
  const ingestKeys = new IngestKeys({
    store,
    keyCache,
    clock,
    integratedEnabled,
    bounds: { ...INGEST_KEY_BOUNDS, ...bounds },
    uses: { note: () => undefined },
  });
  const keys = {
    check: async (publicKey: string, dsnId: string) => ingestKeys.check(publicKey, dsnId),
    checkAtOnce: (publicKey: string, dsnId: string) => ingestKeys.check(publicKey, dsnId),
  };
  return { store, clock, keys, keyCache, logged };
}

const failsWith = (code: ErrorCode, reason?: string) => (error: unknown) => {
  assert.ok(error instanceof AppError);
  assert.equal(error.code, code);
  if (reason !== undefined) {
    assert.equal(error.details?.reason, reason);
  }
  return true;
};

describe('ingest keys', () => {
  it('grants a key of the project, by its own id and by an alias', async () => {
    const { keys } = setUp();
    assert.deepEqual(await keys.check('glet_abc123', '42'), { projectId: 42, keyId: 1 });
    assert.deepEqual(await keys.check('glet_abc123', '7001'), { projectId: 42, keyId: 1 });
    assert.deepEqual(await keys.check('glet_abc123', 'old-shop'), { projectId: 42, keyId: 1 });
  });

  it('goes by the key where several projects have an alias, or one is the id of another project', async () => {
    const { keys } = setUp();
    for (const publicKey of ['glet_abc123', 'glet_neighbour']) {
      const { projectId } = await keys.check(publicKey, '7001');
      assert.equal(projectId, publicKey === 'glet_abc123' ? 42 : 46);
    }
    assert.equal((await keys.check('glet_abc123', '43')).projectId, 42);
  });

  it('grants keys of the snapshot without waiting, and looks for every key once', async () => {
    const { keys, keyCache } = setUp();
    await keyCache.refresh();
    const { snapshot } = keyCache;
    const find = snapshot.find.bind(snapshot);
    let looks = 0;
    snapshot.find = (...args) => {
      looks += 1;
      return find(...args);
    };
    assert.deepEqual(keys.checkAtOnce('glet_abc123', '7001'), { projectId: 42, keyId: 1 });
    assert.equal(looks, 1);
    for (const wrong of ['glet_neighbour', 'glet_nobody']) {
      looks = 0;
      await assert.rejects(keys.check(wrong, '42'), failsWith('ingest_forbidden'));
      assert.equal(looks, 1);
    }
  });

  const refusals: [what: string, key: string, dsnId: string, reason: string][] = [
    ['an unknown key', 'glet_nobody', '42', 'unknown_key'],
    ['an unknown key of an unknown project', 'glet_nobody', '999', 'unknown_key'],
    ['a key of another project', 'glet_neighbour', '42', 'other_project'],
    ['a good key at an unknown project', 'glet_abc123', '999', 'other_project'],
    ['a key of another project at an alias', 'glet_neighbour', 'old-shop', 'other_project'],
    ['a disabled key', 'glet_disabled', '42', 'inactive_key'],
    ['a project without settings', 'glet_unconfigured', '43', 'not_configured'],
    ['a project that is switched off', 'glet_switchedoff', '44', 'not_active'],
    ['a project with an external tracker', 'glet_external', '45', 'not_integrated'],
  ];
  for (const [what, key, dsnId, reason] of refusals) {
    it(`refuses ${what}, and again from memory`, async () => {
      const { keys, store } = setUp();
      await assert.rejects(keys.check(key, dsnId), failsWith('ingest_forbidden', reason));
      const { lookUps } = store;
      await assert.rejects(keys.check(key, dsnId), failsWith('ingest_forbidden', reason));
      assert.equal(store.lookUps, lookUps);
    });
  }

  it('refuses everything where the integrated backend is not offered, without asking the store', async () => {
    const { keys, store } = setUp({}, false);
    await assert.rejects(keys.check('glet_abc123', '42'), failsWith('ingest_forbidden', 'not_offered'));
    assert.equal(store.lookUps, 0);
  });

  it('says what to do and names no other project', async () => {
    const { keys } = setUp();
    const texts = new Set<string>();
    for (const [, key, dsnId] of refusals) {
      await keys.check(key, dsnId).catch((error: unknown) => texts.add((error as Error).message));
    }
    assert.equal(texts.size, 6);
    assert.ok([...texts].every((text) => !/g\/p\d|4[2-6]|glet_/.test(text) && text.length > 40));
  });

  it('asks the store once for concurrent requests, and not again for an accepted key', async () => {
    const { keys, keyCache, store, clock } = setUp();
    await Promise.all(Array.from({ length: 50 }, () => keys.check('glet_abc123', '42')));
    assert.equal(store.lookUps, 1);
    await keyCache.refresh();
    clock.time += 3_600_000;
    await keys.check('glet_abc123', '42');
    assert.equal(store.lookUps, 1);
  });

  it('asks the store for no key of the snapshot', async () => {
    const { keys, keyCache, store } = setUp();
    await keyCache.refresh();
    for (let request = 0; request < 10; request += 1) {
      assert.deepEqual(await keys.check('glet_abc123', '7001'), { projectId: 42, keyId: 1 });
    }
    assert.equal(store.lookUps, 0);
  });

  it('sees a deleted key at the next refresh, a new one at once, and a refused one after the time to live', async () => {
    const { keys, keyCache, store, clock } = setUp();
    await keyCache.refresh();
    await assert.rejects(keys.check('glet_new', '42'), failsWith('ingest_forbidden', 'unknown_key'));
    store.keys.delete('glet_abc123');
    store.addKey(9, 42, 'glet_new');
    store.addKey(10, 42, 'glet_newer');
    assert.deepEqual(await keys.check('glet_newer', '42'), { projectId: 42, keyId: 10 });
    await keyCache.refresh();
    await assert.rejects(keys.check('glet_abc123', '42'), failsWith('ingest_forbidden', 'unknown_key'));
    clock.time += 1000;
    assert.deepEqual(await keys.check('glet_new', '42'), { projectId: 42, keyId: 9 });
  });

  it('uses the snapshot of any age while the store is unavailable, and refuses no client', async () => {
    const { keys, keyCache, store, clock, logged } = setUp();
    await keyCache.refresh();
    await assert.rejects(keys.check('glet_disabled', '42'), failsWith('ingest_forbidden', 'inactive_key'));
    store.error = new AppError('store_unavailable', 'away');
    await keyCache.refresh();
    for (let day = 0; day < 3; day += 1) {
      assert.deepEqual(await keys.check('glet_abc123', '42'), { projectId: 42, keyId: 1 });
      await assert.rejects(keys.check('glet_disabled', '42'), failsWith('ingest_unavailable'));
      await assert.rejects(keys.check('glet_neighbour', '42'), failsWith('ingest_unavailable'));
      await assert.rejects(keys.check('glet_nobody', '42'), failsWith('ingest_unavailable'));
      clock.time += 86_400_000;
      await keyCache.refresh();
    }
    assert.deepEqual(logged, ['warn']);
    store.error = null;
    await keyCache.refresh();
    await assert.rejects(keys.check('glet_disabled', '42'), failsWith('ingest_forbidden', 'inactive_key'));
    assert.deepEqual(logged, ['warn', 'info']);
  });

  it('keeps accepting a key that the store accepted, although the store becomes unavailable before the next refresh', async () => {
    const { keys, keyCache, store, clock } = setUp();
    await keyCache.refresh();
    clock.time += 10;
    store.addKey(9, 42, 'glet_new');
    // The look that the grant asks for meets a store that hangs.
    store.ingestAccess = () => new Promise(() => undefined);
    assert.deepEqual(await keys.check('glet_new', '42'), { projectId: 42, keyId: 9 });
    store.error = new AppError('store_unavailable', 'away');
    clock.time += 60_000;
    keyCache.tick();
    assert.equal(keyCache.storeAway, true);
    assert.deepEqual(await keys.check('glet_new', '42'), { projectId: 42, keyId: 9 });
    await assert.rejects(keys.check('glet_nobody', '42'), failsWith('ingest_unavailable'));
  });

  it('keeps accepting it while the store hangs, before the outage is noticed', async () => {
    const { keys, keyCache, store, clock } = setUp({ patienceMs: 5 });
    await keyCache.refresh();
    clock.time += 10;
    store.addKey(9, 42, 'glet_new');
    store.ingestAccess = () => new Promise(() => undefined);
    await keys.check('glet_new', '42');
    store.keyByPublicKey = () => new Promise(() => undefined);
    clock.time += 1000;
    assert.deepEqual(await keys.check('glet_new', '42'), { projectId: 42, keyId: 9 });
  });

  it('asks again after the time to live while the store answers, whatever the snapshot knows', async () => {
    const { keys, keyCache, store, clock } = setUp();
    store.addKey(9, 42, 'glet_new');
    store.ingestAccess = () => Promise.resolve(null);
    await keyCache.refresh();
    assert.deepEqual(await keys.check('glet_new', '42'), { projectId: 42, keyId: 9 });
    store.addKey(9, 42, 'glet_new', false);
    clock.time += 1000;
    await assert.rejects(keys.check('glet_new', '42'), failsWith('ingest_forbidden', 'inactive_key'));
  });

  it('stops accepting it when a later refresh does not have it', async () => {
    const { keys, keyCache, store, clock } = setUp();
    store.addKey(9, 42, 'glet_new');
    assert.deepEqual(await keys.check('glet_new', '42'), { projectId: 42, keyId: 9 });
    await keyCache.refresh();
    clock.time += 10;
    store.keys.delete('glet_new');
    await keyCache.refresh(true);
    clock.time += 1000;
    await assert.rejects(keys.check('glet_new', '42'), failsWith('ingest_forbidden', 'unknown_key'));
  });

  it('does not pass a flood of made-up keys on to the store, and still accepts new keys', async () => {
    const { keys, keyCache, store, clock } = setUp({ lookUpsPerSecond: 10 });
    await keyCache.refresh();
    await assert.rejects(keys.check('glet_disabled', '42'), failsWith('ingest_forbidden', 'inactive_key'));
    const { lookUps } = store;
    const flood = Array.from({ length: 5000 }, (_, index) => keys.check(`glet_madeup${index}`, '42'));
    store.addKey(9, 42, 'glet_new');
    const fresh = keys.check('glet_new', '42');
    const results = await Promise.allSettled(flood);
    for (const result of results) {
      assert.equal(result.status, 'rejected');
      failsWith('ingest_forbidden', 'unknown_key')(result.reason);
    }
    assert.deepEqual(await fresh, { projectId: 42, keyId: 9 });
    assert.equal(store.lookUps, lookUps + 9);
    assert.ok(store.fullLooks <= 3, `all were asked for ${store.fullLooks} times`);
    clock.time += 1000;
    await keys.check('glet_madeup', '42').catch(() => undefined);
    assert.equal(store.lookUps, lookUps + 10, 'the next second has its own');
  });

  it('goes on to say why a key is refused while others flood', async () => {
    const { keys, keyCache, store, clock } = setUp({ lookUpsPerSecond: 3 });
    await keyCache.refresh();
    await assert.rejects(keys.check('glet_disabled', '42'), failsWith('ingest_forbidden', 'inactive_key'));
    clock.time += 1500;
    for (let index = 0; index < 3; index += 1) await keys.check(`glet_madeup${index}`, '42').catch(() => undefined);
    const { lookUps } = store;
    await assert.rejects(keys.check('glet_disabled', '42'), failsWith('ingest_forbidden', 'inactive_key'));
    assert.equal(store.lookUps, lookUps);
    await assert.rejects(keys.check('glet_other', '42'), failsWith('ingest_forbidden', 'unknown_key'));
  });

  it('answers 503 to a flood while the store is unavailable', async () => {
    const { keys, keyCache, store } = setUp({ lookUpsPerSecond: 1 });
    await keyCache.refresh();
    await assert.rejects(keys.check('glet_first', '42'), failsWith('ingest_forbidden'));
    store.error = new AppError('store_unavailable', 'away');
    await assert.rejects(keys.check('glet_madeup', '42'), failsWith('ingest_unavailable'));
  });

  it('notices an unavailable store without a request, and does not ask it at every request', async () => {
    const { keys, keyCache, store, logged } = setUp();
    await keyCache.refresh();
    store.error = new Error('away');
    for (let request = 0; request < 10; request += 1) {
      await assert.rejects(keys.check(`glet_unknown_${request}`, '42'), failsWith('ingest_unavailable'));
    }
    assert.equal(store.lookUps, 1);
    assert.deepEqual(logged, ['warn']);
  });

  it('accepts no key without a snapshot while the store is unavailable, and says when to retry', async () => {
    const { keys, store } = setUp();
    store.error = new Error('away');
    await assert.rejects(keys.check('glet_abc123', '42'), (error: unknown) => {
      assert.ok(error instanceof AppError);
      assert.deepEqual([error.code, error.retryAfterSeconds], ['ingest_unavailable', 10]);
      return true;
    });
  });

  it('does not wait without limit for a store that hangs', async () => {
    const { keys, keyCache, store } = setUp({ patienceMs: 5 });
    await keyCache.refresh();
    store.keyByPublicKey = () => new Promise(() => undefined);
    await assert.rejects(keys.check('glet_nobody', '42'), failsWith('ingest_unavailable'));
    assert.deepEqual(await keys.check('glet_abc123', '42'), { projectId: 42, keyId: 1 });
  });

  it('drops the least recently used answer beyond its limit', async () => {
    const { keys, store } = setUp({ maxEntries: 10 });
    for (let index = 0; index < 100; index += 1) {
      await assert.rejects(keys.check(`glet_made_up_${index}`, '42'), failsWith('ingest_forbidden'));
    }
    const { lookUps } = store;
    await assert.rejects(keys.check('glet_made_up_99', '42'), failsWith('ingest_forbidden'));
    assert.equal(store.lookUps, lookUps);
    await assert.rejects(keys.check('glet_made_up_0', '42'), failsWith('ingest_forbidden'));
    assert.equal(store.lookUps, lookUps + 1);
  });
});
