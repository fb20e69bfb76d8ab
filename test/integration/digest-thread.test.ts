import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../config/load.ts';
import { type RunningService, startService } from '../../src/compose/start-service.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { type DigestWorkers, killDigest, watchDigestWorkers } from '../support/digest-workers.ts';
import { eventually } from '../support/service-process.ts';
import { EVERYTHING } from '../support/store-data.ts';

const SEGMENT_BYTES = 16_384;

describe('a digest thread', function () {
  this.timeout(180_000);
  let dataDir: string;
  let threads: DigestWorkers;
  let service: RunningService;
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'errgate-thread-'));
    threads = watchDigestWorkers();
    service = await startService(
      loadConfig({
        env: {},
        overrides: {
          server: { port: 0 },
          log: { level: 'silent' },
          // Small segments and batches, so that both end while the thread dies. A segment is an eighth of the journal.
          journal: { minFreeDiskBytes: 0, maxBytes: 8 * SEGMENT_BYTES, batchGatherMs: 0 },
        },
      }),
      { dataDir, version: '0.0.0' },
    );
  });
  afterEach(async () => {
    await service.stop();
    threads.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function makeProject(store: Store): Promise<number> {
    const { id } = await store.createProject({ path: 'g/p', name: 'p', visibility: 'private' });
    await store.saveSettings(id, { active: true, integrated: true });
    await store.createKey(id, 'key');
    return id;
  }
  const send = async (message: string, more: object = {}): Promise<number> => {
    const answer = await fetch(`${service.url}/api/1/store/?sentry_key=key`, {
      method: 'POST',
      body: JSON.stringify({ message, ...more }),
    });
    return answer.status;
  };
  const counted = async (projectId: number): Promise<number> => {
    const outcomes = await service.store.listOutcomes(projectId, 0, Date.now() + 3_600_000);
    return outcomes.reduce((sum, { outcome, quantity }) => sum + (outcome === 'accepted' ? quantity : 0), 0);
  };
  const metric = async (name: string): Promise<number> => {
    const metrics = await (await fetch(`${service.url}/-/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]);
  };
  const journalBytes = (): Promise<number> => metric('errgate_journal_bytes');

  it('resolves errors that wait for a commit in a later release that names it', async () => {
    const { store } = service;
    const projectId = await makeProject(store);
    const only = async () =>
      (await store.listErrors(projectId, { ...EVERYTHING, search: 'waits' }, Date.now())).items[0] ?? null;
    assert.equal(await send('waits', { release: 'app@1.0.0' }), 200);
    const { id } = (await eventually(only, (error) => error !== null)) ?? assert.fail();
    const inCommit = { commit: 'f00dbabe0123456789abcdef0123456789abcdef', repository: null };
    await store.setErrorStatus(projectId, id, 'resolved', Date.now(), { details: { inCommit } });
    assert.equal(await send('another', { release: 'app@1.1.0+f00dbabe' }), 200);
    const resolved = await eventually(only, (error) => error?.statusDetails?.inRelease !== undefined);
    assert.deepEqual(resolved?.statusDetails, { inRelease: 'app@1.1.0+f00dbabe', inCommit });
  });

  it('that dies is replaced while events arrive; each is stored exactly once, and writes work again', async () => {
    const projectId = await makeProject(service.store);
    const total = 400;
    let deaths = 0;
    for (let sent = 0; sent < total; sent += 20) {
      const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => send(`message ${sent + index}`)));
      assert.deepEqual([...new Set(answers)], [200]);
      if (sent % 100 === 60) {
        // The thread that came after the last death; events have come meanwhile.
        await eventually(
          async () => threads.workers.length,
          (count) => count > deaths,
        );
        await killDigest(threads);
        deaths += 1;
      }
    }
    assert.equal(
      await eventually(
        () => counted(projectId),
        (sum) => sum >= total,
        30_000,
      ),
      total,
    );
    assert.equal(deaths, 4);
    assert.equal(await metric('errgate_digest_restarts_total'), 4);
    // What the dead ones removed from the journal counts no more.
    const bytes = await eventually(journalBytes, (size) => size < 2 * SEGMENT_BYTES);
    assert.ok(bytes >= 0);
    // The main thread's writes go through the thread that lives now.
    const second = await eventually(
      () => service.store.createKey(projectId, 'another').catch(() => null),
      (key) => key !== null,
    );
    assert.equal((await service.store.keyByPublicKey('another'))?.id, second?.id);
  });

  it('that dies does not stop the service from ending', async () => {
    await makeProject(service.store);
    assert.equal(await send('x'), 200);
    await killDigest(threads);
  });
});
