import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { MessageChannel, Worker } from 'node:worker_threads';
import { openStore } from '../../src/storage/open/open-store.ts';
import { errorOf, makeEvent, makeProject, TestJournal } from '../support/store-data.ts';
import { makeDataDir } from '../support/store-harness.ts';
import { makeLoad } from '../support/store-load.ts';

const support = (name: string) => fileURLToPath(new URL(`../support/${name}`, import.meta.url));

describe('one store, several threads and processes', () => {
  let dataDir = '';
  beforeEach(async () => {
    dataDir = await makeDataDir();
  });
  afterEach(async () => {
    await rm(dataDir, { recursive: true, force: true });
  });

  it('sees keys and settings of a second process while batches run', async () => {
    const store = await openStore({ url: 'sqlite:', dataDir });
    const project = await makeProject(store);
    const rounds = 40;
    const child = spawn(
      process.execPath,
      ['--import=tsx', support('store-child.ts'), dataDir, String(project.id), String(rounds)],
      { stdio: ['ignore', 'inherit', 'inherit'] },
    );
    const ended = once(child, 'exit');
    const journal = new TestJournal(store);
    const state = { running: true };
    void ended.then(() => (state.running = false));
    let batches = 0;
    while (state.running || batches === 0) {
      assert.equal((await journal.apply(makeLoad(project, batches, 200))).kind, 'applied');
      batches += 1;
      await new Promise(setImmediate);
    }
    assert.deepEqual(await ended, [0, null]);
    assert.ok(batches > 1);
    assert.equal((await store.listKeys(project.id)).length, rounds);
    assert.equal((await store.settings(project.id))?.projectName, `round ${rounds - 1}`);
    assert.equal((await store.stats()).events, batches * 200);
    await store.close();
  });

  it('writes through a worker thread, and refuses writes after that thread ends', async () => {
    const { port1, port2 } = new MessageChannel();
    // A thread does not take over the loader for TypeScript: its entry has to register it first.
    const entry = pathToFileURL(support('store-writer-worker.ts')).href;
    const boot = `import('tsx/esm/api').then(({ register }) => (register(), import(${JSON.stringify(entry)})))`;
    const worker = new Worker(boot, {
      eval: true,
      workerData: { dataDir, port: port2 },
      transferList: [port2],
    });
    await once(worker, 'message');
    const store = await openStore({ url: 'sqlite:', dataDir, writer: port1 });
    const project = await makeProject(store, 'group/app');
    await new TestJournal(store).apply([makeEvent(project, 'a', { user: 'ada' })]);
    assert.equal((await errorOf(store, project)).count, 1);
    await assert.rejects(makeProject(store, 'group/app'), {
      name: 'AppError',
      code: 'conflict',
      message: /group\/app/,
    });

    const pending = [store.setMeta('a', 'b'), store.setMeta('c', 'd')].map((write) =>
      write.then(
        () => 'written',
        (error: unknown) => (error as { code?: string }).code,
      ),
    );
    const ended = once(worker, 'exit');
    worker.postMessage('end');
    await ended;
    for (const outcome of await Promise.all(pending)) {
      assert.ok(outcome === 'written' || outcome === 'store_unavailable', outcome);
    }
    await assert.rejects(store.setMeta('e', 'f'), { code: 'store_unavailable' });
    assert.equal((await errorOf(store, project)).count, 1, 'reads go on');
    await store.close();
  });
});
