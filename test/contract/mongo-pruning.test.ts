import assert from 'node:assert/strict';
import { mongo } from 'mongoose';
import { describeOnMongo, TestDatabases, withOption } from '../support/mongo-engine.ts';
import { openMongo } from '../support/mongo-harness.ts';
import { KEEP, pruneAll } from '../support/prune-all.ts';
import { makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';

/** Events without a payload: more than one search may pass. */
const KEYS = 10_050;
/** Events that a search may pass, and those of its last millisecond. */
const PAGE = 10_001;

describeOnMongo('removal by age in a MongoDB store', function (uri) {
  this.timeout(120_000);
  const databases = new TestDatabases(uri);
  after(() => databases.dropAll());

  it('passes events without a payload in pages, however many there are', async () => {
    const { context, store, close } = await openMongo(withOption(databases.create(), 'monitorCommands', 'true'));
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
      await close();
    }
  });
});
