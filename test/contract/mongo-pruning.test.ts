import assert from 'node:assert/strict';
import { mongo } from 'mongoose';
import { describeOnMongo } from '../support/mongo-engine.ts';
import { openEmptyMongo } from '../support/mongo-harness.ts';
import { KEEP, pruneAll } from '../support/prune-all.ts';
import { DAY, errorOf, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';

/** Events without a payload: more than one search may pass. */
const KEYS = 10_050;
/** Events that a search may pass, and those of its last millisecond. */
const PAGE = 10_001;

/** Blocks of one error: more than one call may look at. */
const DAYS = 220;

describeOnMongo('removal of payloads in a MongoDB store', function (uri) {
  this.timeout(120_000);

  it('passes events without a payload in pages, however many there are', async () => {
    const { context, store, close } = await openEmptyMongo(uri);
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

  for (const [by, limits, left] of [
    ['age', { receivedBefore: NOON + 365 * DAY }, 0],
    ['the bound per error', { maxEventsPerError: 10 }, 10],
  ] as const) {
    it(`by ${by} looks at a bounded number of blocks at a time, and loses none`, async () => {
      const { context, store, close } = await openEmptyMongo(uri);
      try {
        const project = await makeProject(store);
        // Bodies of a block are of one day.
        const days = Array.from({ length: DAYS }, (_, day) => NOON + day * DAY);
        const events = days.flatMap((at) => Array.from({ length: 8 }, (_, index) => at + index));
        await new TestJournal(store).apply(events.map((at) => makeEvent(project, `${at}`, { at })));
        const blocks = () => context.collections.eventBlocks.countDocuments({});
        assert.equal(await blocks(), DAYS);
        const read: number[] = [];
        context.connection.getClient().on('commandStarted', ({ command }) => {
          const { comment, filter } = command as { comment?: unknown; filter?: { _id: { $in: unknown[] } } };
          if (comment === 'blocks.of_events' && filter !== undefined) read.push(filter._id.$in.length);
        });
        const { events: removed } = await pruneAll(store, { ...KEEP, ...limits });
        assert.equal(removed, events.length - left);
        assert.ok(read.length > 1 && Math.max(...read) <= 200, read.join());
        assert.equal((await errorOf(store, project)).count, events.length);
        assert.deepEqual(await context.collections.errors.distinct('k'), [left]);
        assert.equal(await context.collections.events.countDocuments({ d: { $exists: true } }), left);
        assert.ok((await blocks()) <= left, 'blocks without events are deleted');
      } finally {
        await close();
      }
    });
  }
});
