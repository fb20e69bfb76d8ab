import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeyCache } from '../../../src/auth/key-cache.ts';
import { NO_OVERRIDES, type ProjectProtection } from '../../../src/domain/ingest/protection-overrides.ts';
import type { IngestAccess } from '../../../src/domain/ports/stores/tracking-store.ts';
import { FakeKeyStore } from '../../support/fake-key-store.ts';

const GRANT = { projectId: 42, keyId: 1 };

describe('the key cache', () => {
  let folder: string;
  let file: string;
  let clock: { time: number; now(): number };
  let logged: string[];
  let received: [fromStore: boolean, protections: readonly ProjectProtection[]][];
  const caches: KeyCache[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'errgate-keys-'));
    file = join(folder, 'ingest-keys.json');
    clock = { time: 1_000_000, now: () => clock.time };
    logged = [];
    received = [];
  });
  afterEach(async () => {
    await Promise.all(caches.splice(0).map((keyCache) => keyCache.stop()));
    rmSync(folder, { recursive: true, force: true });
  });

  function cacheOf(store: Pick<FakeKeyStore, 'ingestAccess'>, patienceMs?: number): KeyCache {
    const logger = {
      warn: (_: unknown, message?: string) => logged.push(`warn ${message ?? ''}`),
      info: (message: unknown) => logged.push(`info ${String(message)}`),
    };
    const onProtections = (protections: readonly ProjectProtection[], fromStore: boolean) => {
      received.push([fromStore, protections]);
    };
    const options = { store, file, clock, logger, onProtections, intervalMs: 3_600_000 };
    const keyCache = new KeyCache(patienceMs === undefined ? options : { ...options, patienceMs });
    caches.push(keyCache);
    return keyCache;
  }

  it('saves the snapshot for the next process, readable by the owner only', async () => {
    const store = new FakeKeyStore();
    await cacheOf(store).start();
    assert.equal(statSync(file).mode & 0o777, 0o600);
    store.error = new Error('away');
    const next = cacheOf(store);
    await next.start();
    assert.deepEqual(next.snapshot.find('glet_abc123', '42'), GRANT);
    assert.equal(next.storeAway, true);
    assert.match(logged.join(), /^warn the store does not answer: known client keys \(3\) stay valid/);
  });

  it('reports the protection of projects: from the file, from the store, and after every change', async () => {
    const store = new FakeKeyStore();
    const own = { ...NO_OVERRIDES, scrubIps: true };
    store.protections.set(42, own);
    await cacheOf(store).start();
    assert.deepEqual(received, [[true, [[42, own]]]]);
    store.error = new Error('away');
    const next = cacheOf(store);
    await next.start();
    assert.deepEqual(received.splice(0), [
      [true, [[42, own]]],
      [false, [[42, own]]],
    ]);
    store.error = null;
    store.protections.clear();
    await next.refresh();
    await next.refresh();
    assert.deepEqual(received, [[true, []]]);
  });

  it('has no snapshot only while the store is unavailable and none was ever read', async () => {
    const store = new FakeKeyStore();
    store.error = new Error('away');
    const first = cacheOf(store);
    await first.start();
    assert.equal(first.lost, true);
    store.error = null;
    await first.refresh();
    assert.equal(first.lost, false);
    store.error = new Error('away again');
    await first.refresh();
    assert.deepEqual([first.storeAway, first.lost], [true, false]);
    const next = cacheOf(store);
    await next.start();
    assert.deepEqual([next.storeAway, next.lost], [true, false]);
  });

  it('reads everything only when something has changed, or after a minute', async () => {
    const store = new FakeKeyStore();
    const keyCache = cacheOf(store);
    await keyCache.start();
    for (let second = 0; second < 59; second += 1) {
      clock.time += 1000;
      await keyCache.refresh();
    }
    assert.equal(store.fullLooks, 1);
    store.addKey(9, 42, 'glet_new');
    await keyCache.refresh();
    assert.equal(store.fullLooks, 2);
    assert.deepEqual(keyCache.snapshot.find('glet_new', '42'), { projectId: 42, keyId: 9 });
    clock.time += 60_000;
    await keyCache.refresh();
    assert.equal(store.fullLooks, 3);
  });

  it('refreshes again when that is requested during a refresh', async () => {
    const store = new FakeKeyStore();
    const asked: (string | null)[] = [];
    const answer = store.ingestAccess.bind(store);
    store.ingestAccess = (known) => {
      asked.push(known);
      return answer(known);
    };
    const keyCache = cacheOf(store);
    await keyCache.start();
    const underWay = keyCache.refresh();
    void keyCache.refresh(true);
    await underWay;
    await keyCache.refresh();
    await keyCache.refresh();
    assert.deepEqual(
      asked.map((known) => known === null),
      [true, false, true, false],
    );
  });

  it('writes only what has changed, and leaves nothing else behind', async () => {
    const store = new FakeKeyStore();
    const keyCache = cacheOf(store);
    await keyCache.start();
    const { ino } = statSync(file);
    clock.time += 60_000;
    await keyCache.refresh();
    assert.equal(statSync(file).ino, ino);
    store.keys.clear();
    await keyCache.refresh();
    assert.match(readFileSync(file, 'utf8'), /"keys":\[\]/);
    assert.deepEqual(readdirSync(folder), ['ingest-keys.json']);
  });

  it('takes a damaged file for none, and makes it good', async () => {
    writeFileSync(file, '{"format":1,"keys":[[');
    const store = new FakeKeyStore();
    store.error = new Error('away');
    const keyCache = cacheOf(store);
    await keyCache.start();
    assert.equal(keyCache.snapshot.size, 0);
    assert.match(logged[0] ?? '', /snapshot of client keys cannot be used/);
    store.error = null;
    await keyCache.refresh();
    assert.equal(keyCache.snapshot.size, 3);
    assert.match(readFileSync(file, 'utf8'), /"keys":\[\[/);
    assert.match(logged.at(-1) ?? '', /^info client keys can be checked again/);
  });

  it('goes on in memory where the file cannot be written, says so once, and writes it later', async () => {
    const store = new FakeKeyStore();
    const keyCache = cacheOf(store);
    rmSync(folder, { recursive: true });
    await keyCache.start();
    await keyCache.refresh();
    assert.equal(keyCache.snapshot.size, 3);
    assert.equal(logged.length, 1);
    assert.match(logged[0] ?? '', /cannot be written/);
    mkdirSync(folder);
    await keyCache.refresh();
    assert.ok(existsSync(file));
  });

  it('drops the answer of the store that comes after the end', async () => {
    let answer: (access: IngestAccess | null) => void = () => undefined;
    const keyCache = cacheOf({ ingestAccess: () => new Promise((resolve) => (answer = resolve)) }, 5);
    await keyCache.start();
    await keyCache.stop();
    answer(await new FakeKeyStore().ingestAccess(null));
    await keyCache.refresh();
    assert.equal(keyCache.snapshot.size, 0);
    assert.equal(existsSync(file), false, 'another process may have the data dir by now');
    assert.deepEqual(logged, []);
  });

  it('does not wait for a store that hangs, and uses it when it recovers', async () => {
    let answer: (access: IngestAccess | null) => void = () => undefined;
    const hanging = {
      ingestAccess: () => new Promise<IngestAccess | null>((resolve) => (answer = resolve)),
    };
    const keyCache = cacheOf(hanging, 5);
    await keyCache.start();
    assert.equal(keyCache.storeAway, false);
    clock.time += 5;
    keyCache.tick();
    assert.equal(keyCache.storeAway, true);
    answer(await new FakeKeyStore().ingestAccess(null));
    await keyCache.refresh();
    assert.equal(keyCache.storeAway, false);
    assert.equal(keyCache.snapshot.size, 3);
  });
});
