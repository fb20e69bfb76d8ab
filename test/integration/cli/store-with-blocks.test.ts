import assert from 'node:assert/strict';
import { join } from 'node:path';
import { openStore } from '../../../src/storage/open/open-store.ts';
import { useCliSandbox, type JsonObject } from '../../support/cli-sandbox.ts';
import { KEEP, pruneAll } from '../../support/prune-all.ts';
import { readStore } from '../../support/read-store.ts';
import { makeEvent, makeProject, NOON, TestJournal } from '../../support/store-data.ts';

describe('errgate backup, restore and doctor with blocks of event bodies', () => {
  const sandbox = useCliSandbox();

  async function answersIn(dataDir: string) {
    const store = await openStore({ url: 'sqlite:', dataDir, migrate: false });
    try {
      return await readStore(store, NOON);
    } finally {
      await store.close();
    }
  }

  it('keep every body, those in blocks and those by themselves', async () => {
    const errgate = sandbox.current;
    await errgate.done('project', 'create', 'acme/shop');
    const store = await openStore({ url: 'sqlite:', dataDir: errgate.dataDir });
    const project = await makeProject(store);
    const events = Array.from({ length: 90 }, (_, index) => makeEvent(project, `${index}`, { at: NOON - index }));
    const journal = new TestJournal(store);
    await journal.apply(events.slice(0, 70));
    await journal.apply(events.slice(70, 73));
    for (const event of events.slice(73)) await journal.apply([event]);
    await pruneAll(store, { ...KEEP, packReceivedBefore: NOON - 75 });
    await store.close();
    const before = await answersIn(errgate.dataDir);
    assert.equal(before.events, 90);

    const file = join(errgate.folder, 'backup.db');
    assert.deepEqual(await errgate.object('backup', file), { file, projects: 2, errors: 1, events: 90 });
    const { stdout } = await errgate.run('doctor', '--json');
    const { checks } = JSON.parse(stdout) as { checks: JsonObject[] };
    assert.equal(checks.find(({ check }) => check === 'store file')?.['status'], 'ok', stdout);

    const elsewhere = join(errgate.folder, 'elsewhere');
    errgate.env = { ERRGATE_DATA_DIR: elsewhere };
    assert.match(await errgate.done('restore', file), /restored 2 projects, 1 error and 90 events to/);
    assert.deepEqual(await answersIn(elsewhere), before);
  });
});
