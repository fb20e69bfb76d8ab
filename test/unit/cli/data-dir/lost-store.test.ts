import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../../../config/load.ts';
import { bootstrap } from '../../../../src/cli/data-dir/first-start.ts';
import { refuseLostStore } from '../../../../src/cli/data-dir/lost-store.ts';
import { recordStoreUse } from '../../../../src/cli/data-dir/store-use.ts';
import { AppError } from '../../../../src/domain/app-error.ts';
import type { Store } from '../../../../src/domain/ports/stores/store.ts';
import { nodeJournalFiles } from '../../../../src/integrated/intake/journal/node-files.ts';
import { openingManifest, ManifestLog } from '../../../../src/integrated/intake/journal/manifest-log.ts';
import { openStore } from '../../../../src/storage/open/open-store.ts';

describe('a store file that is empty', () => {
  let dataDir: string;
  let store: Store;
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'errgate-lost-'));
    store = await openStore({ url: 'sqlite:', dataDir });
  });
  afterEach(async () => {
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const check = (env: NodeJS.ProcessEnv = {}) => refuseLostStore(loadConfig({ env }), dataDir, store);
  const record = (env: NodeJS.ProcessEnv = {}, through = store) =>
    recordStoreUse(loadConfig({ env }), dataDir, through);
  const mark = () => join(dataDir, 'store.json');
  const makeProject = () => store.createProject({ path: 'a/b', name: 'b', visibility: 'private' });
  const refused = (trace: RegExp) => (error: unknown) => {
    assert.ok(error instanceof AppError && error.code === 'invalid_configuration');
    assert.match(error.message, trace);
    assert.match(error.message, /errgate restore FILE/);
    return true;
  };
  const writeManifest = async (n: number): Promise<string> => {
    const manifest = { ...openingManifest(1, 100), n };
    const log = new ManifestLog(nodeJournalFiles, join(dataDir, 'journal'));
    await log.write(manifest);
    await log.close();
    return manifest.journalId;
  };

  it('is refused beside the file of a first start', async () => {
    writeFileSync(join(dataDir, 'first-start.json'), '{}');
    await assert.rejects(check(), refused(/it holds first-start\.json/));
  });

  it('is refused beside a journal whose batches went to another store', async () => {
    await writeManifest(7);
    await assert.rejects(check(), refused(/up to batch 7/));
  });

  it('is taken in a new data dir, and after a first start that was killed before it was done', async () => {
    await check();
    writeFileSync(join(dataDir, 'secret.key'), 'ab');
    writeFileSync(join(dataDir, 'first-start-plan.json'), '{}');
    await writeManifest(0);
    await check();
  });

  it('is taken when a first start was begun in it, or something was made by hand', async () => {
    writeFileSync(join(dataDir, 'first-start.json'), '{}');
    await makeProject();
    await check();
    await store.deleteProject(1);
    await assert.rejects(check(), refused(/first-start/));
    await store.initMeta('first_start_claim', 'x 1');
    await check();
  });

  it('is taken when everything in it was deleted, but its journal is known', async () => {
    const journalId = await writeManifest(1);
    await store.applyBatch({ journalId, n: 1, hash: 'a'.repeat(32) }, { events: [], outcomes: [] });
    await check();
  });

  it('is not asked for on a database server', async () => {
    writeFileSync(join(dataDir, 'first-start.json'), '{}');
    await check({ ERRGATE_STORE_URL: 'mongodb://db1/errgate', ERRGATE_SECRET_KEY: 'ab'.repeat(32) });
  });

  it('is refused beside a note that a store was in use, unless it was filled by an earlier version', async () => {
    for (const content of ['{"url":"sqlite:","in_use_since":"2026-11-23T10:00:00Z"}', '{}', '']) {
      writeFileSync(mark(), content);
      await assert.rejects(check(), refused(/has been in use \(store\.json says so/));
    }
    await makeProject();
    await check();
  });

  it('is noted once it holds something, and then taken although everything in it was deleted', async () => {
    await record();
    assert.equal(existsSync(mark()), false);
    await makeProject();
    await record();
    assert.equal(existsSync(mark()), true);
    await store.deleteProject(1);
    await check();
    await record();
    await check();
  });

  it('is never noted for a database server', async () => {
    await makeProject();
    await record({ ERRGATE_STORE_URL: 'mongodb://db1/errgate', ERRGATE_SECRET_KEY: 'ab'.repeat(32) });
    assert.equal(existsSync(mark()), false);
  });

  it('is taken wherever a start was killed, and noted by the next one', async () => {
    /** Right behind the given call of the store; false when the start made fewer. */
    const wasKilledBehind = async (call: number): Promise<boolean> => {
      let calls = 0;
      const dying = new Proxy(store, {
        get: (target, name) => {
          const method = Reflect.get(target, name) as (...args: unknown[]) => Promise<unknown>;
          return async (...args: unknown[]) => {
            const result = await method.apply(target, args);
            if (calls++ === call) throw new Error('killed');
            return result;
          };
        },
      });
      try {
        await record({}, dying);
        await bootstrap({
          store: dying,
          clock: { now: () => 0 },
          url: 'http://localhost',
          dataDir,
          integratedOffered: true,
          hashPassword: () => Promise.resolve('scrypt$x'),
          onElsewhere: () => assert.fail(),
        });
        await record({}, dying);
        return false;
      } catch (error) {
        assert.equal((error as Error).message, 'killed');
        return true;
      } finally {
        await check();
      }
    };
    let kills = 0;
    while (await wasKilledBehind(kills)) kills += 1;
    assert.ok(kills > 10);
    assert.equal(existsSync(mark()), true);
    assert.equal((await store.listUsers()).length, 1);
  });
});
