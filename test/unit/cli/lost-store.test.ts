import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../../config/load.ts';
import { refuseLostStore } from '../../../src/cli/lost-store.ts';
import { AppError } from '../../../src/domain/app-error.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { nodeJournalFiles } from '../../../src/integrated/intake/journal/node-files.ts';
import { openingManifest, ManifestLog } from '../../../src/integrated/intake/journal/manifest-log.ts';
import { openStore } from '../../../src/storage/open-store.ts';

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
  const refused = (trace: RegExp) => (error: unknown) => {
    assert.ok(error instanceof AppError && error.code === 'invalid_configuration');
    assert.match(error.message, trace);
    assert.match(error.message, /errgate restore FILE/);
    return true;
  };
  const sealed = async (n: number): Promise<string> => {
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
    await sealed(7);
    await assert.rejects(check(), refused(/up to batch 7/));
  });

  it('is taken in a new data dir, and after a first start that was killed before it was done', async () => {
    await check();
    writeFileSync(join(dataDir, 'secret.key'), 'ab');
    writeFileSync(join(dataDir, 'first-start-plan.json'), '{}');
    await sealed(0);
    await check();
  });

  it('is taken when a first start was begun in it, or something was made by hand', async () => {
    writeFileSync(join(dataDir, 'first-start.json'), '{}');
    await store.createProject({ path: 'a/b', name: 'b', visibility: 'private' });
    await check();
    await store.deleteProject(1);
    await assert.rejects(check(), refused(/first-start/));
    await store.initMeta('first_start_claim', 'x 1');
    await check();
  });

  it('is taken when everything in it was deleted, but its journal is known', async () => {
    const journalId = await sealed(1);
    await store.applyBatch({ journalId, n: 1, hash: 'a'.repeat(32) }, { events: [], outcomes: [] });
    await check();
  });

  it('is not asked for on a database server', async () => {
    writeFileSync(join(dataDir, 'first-start.json'), '{}');
    await check({ ERRGATE_STORE_URL: 'mongodb://db1/errgate', ERRGATE_SECRET_KEY: 'ab'.repeat(32) });
  });
});
