import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { mongo } from 'mongoose';
import { createMongoStore } from '../../src/storage/mongo/mongo-store.ts';
import { openContext } from '../../src/storage/mongo/open-context.ts';
import { describeOnMongo, TestDatabases, withOption } from '../support/mongo-engine.ts';
import { KEEP, pruneAll } from '../support/prune-all.ts';
import { makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';
import { makeDataDir } from '../support/store-harness.ts';

/** Events without a payload: more than one search may pass. */
const KEYS = 10_050;
/** Events that a search may pass, and those of its last millisecond. */
const PAGE = 10_001;

describeOnMongo('removal by age in a MongoDB store', function (uri) {
  this.timeout(120_000);
  const databases = new TestDatabases(uri);
  after(() => databases.dropAll());

  it('passes events without a payload in pages, however many there are', async () => {
    const dataDir = await makeDataDir();
    const context = await openContext(withOption(databases.create(), 'monitorCommands', 'true'), 'set_up', Date.now);
    const store = createMongoStore(context, { hosts: 'the engine', dataDir });
    try {
      const project = await makeProject(store);
      await new TestJournal(store).apply([makeEvent(project, 'old', { at: NOON + KEYS })]);
      const { events } = context.collections;
      const { _id, d, b, ...stored } = (await events.findOne({})) as mongo.Document;
      assert.ok(_id !== undefined && (d !== undefined || b !== undefined));
      const keys = Array.from({ length: KEYS }, (_, index) => {
        const id = Buffer.alloc(20);
        id.writeUInt32BE(project.id);
        id.writeUInt32BE(index, 4);
        return { ...stored, _id: new mongo.Binary(id), r: NOON + index };
      });
      await events.insertMany(keys as never[]);
      const searched: object[] = [];
      context.connection.getClient().on('commandStarted', ({ command }) => {
        const { comment, filter } = command as { comment?: unknown; filter?: { r: object } };
        if (comment === 'events.old' && filter !== undefined) searched.push(filter.r);
      });
      const { events: removed } = await pruneAll(store, { ...KEEP, receivedBefore: NOON + 2 * KEYS });
      assert.equal(removed, 1);
      for (const r of searched) assert.ok((await events.countDocuments({ r })) <= PAGE, JSON.stringify(r));
    } finally {
      await store.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
