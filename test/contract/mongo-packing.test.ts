import assert from 'node:assert/strict';
import type { Project } from '../../src/domain/projects/project.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { blockKey, blockRef } from '../../src/storage/mongo/documents/block-document.ts';
import type { MongoContext } from '../../src/storage/mongo/engine/context.ts';
import { openMongoExport } from '../../src/storage/mongo/export/export-source.ts';
import { describeOnMongo } from '../support/mongo-engine.ts';
import { openEmptyMongo, type OpenedMongo } from '../support/mongo-harness.ts';
import { KEEP, pruneAll } from '../support/prune-all.ts';
import { DAY, HOUR, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';

describeOnMongo('the blocks of event bodies in a MongoDB store', function (uri) {
  this.timeout(120_000);
  let context: MongoContext;
  let store: Store;
  let close: OpenedMongo['close'];

  let ahead = 0;

  beforeEach(async () => {
    ahead = 0;
    ({ context, store, close } = await openEmptyMongo(uri, () => Date.now() + ahead));
  });
  afterEach(() => close());

  const blocks = () => context.collections.eventBlocks.countDocuments({});
  /** Sets an old time of all blocks, at which their batches are long confirmed. */
  const makeBlocksOld = () => context.collections.eventBlocks.updateMany({}, { $set: { t: 0 } });

  it('are made of bodies of one day, so that each goes at most a day after its event', async () => {
    const project = await makeProject(store);
    const journal = new TestJournal(store);
    const days = [0, 1, 7].map((day) =>
      Array.from({ length: 10 }, (_, index) => makeEvent(project, `${day} ${index}`, { at: NOON + day * DAY + index })),
    );
    const weekly = Array.from({ length: 20 }, (_, week) =>
      makeEvent(project, `${week}`, { at: NOON + week * 7 * DAY }),
    );
    // A journal may come to a batch with events of several days.
    await journal.apply(days.flat());
    for (const event of weekly) await journal.apply([event]);
    await pruneAll(store, { ...KEEP, packReceivedBefore: NOON + 1000 * DAY });
    await makeBlocksOld();
    assert.equal(await blocks(), 3);
    for (const [index, day] of [0, 1, 7].entries()) {
      await pruneAll(store, { ...KEEP, receivedBefore: NOON + (day + 0.5) * DAY });
      assert.equal(await blocks(), 2 - index);
    }
  });

  const count = (name: 'events' | 'errors' | 'eventBlocks', filter: object) =>
    context.collections[name].countDocuments(filter);

  it('are made of bodies of many projects that came in turns, and few leave the index in time', async () => {
    const projects: Project[] = [];
    for (let index = 0; index < 80; index += 1) projects.push(await makeProject(store));
    const lonely = await makeProject(store);
    const journal = new TestJournal(store);
    // Seven of a project stay alone in each batch. Together they are more than a page of the walk.
    for (let batch = 0; batch < 4; batch += 1) {
      const rounds = Array.from({ length: 7 }, (_, index) => 7 * batch + index);
      await journal.apply(
        rounds.flatMap((round) => projects.map((each) => makeEvent(each, `${round}`, { at: NOON + round }))),
      );
    }
    await journal.apply([makeEvent(lonely, 'lonely')]);
    assert.equal(await blocks(), 0);
    await pruneAll(store, { ...KEEP, packReceivedBefore: NOON + 1000 });
    assert.equal(await blocks(), 80);
    assert.equal(await count('events', { i: 1 }), 1);
    await pruneAll(store, { ...KEEP, packReceivedBefore: NOON + 3 * DAY });
    assert.equal(await count('events', { i: 1 }), 0);
  });

  it('of several crowded errors are rewritten once, when the last of them has lost its events', async () => {
    const project = await makeProject(store);
    const journal = new TestJournal(store);
    const errors = ['a', 'b', 'c', 'd'];
    for (let batch = 0; batch < 2; batch += 1) {
      const events = Array.from({ length: 250 }, (_, index) => NOON + 250 * batch + index);
      await journal.apply(
        events.flatMap((at) => errors.map((group) => makeEvent(project, `${group} ${at}`, { at, group }))),
      );
    }
    await makeBlocksOld();
    for (let done = false; !done;) {
      ({ done } = await store.prune({ ...KEEP, maxEventsPerError: 100 }));
      if ((await count('errors', { k: { $gt: 100 } })) > 0) assert.equal(await count('events', { i: 1 }), 0);
    }
    // Blocks of the newest events keep all of theirs.
    const [full, alone] = [await blocks(), await count('events', { i: 1 })];
    assert.ok(full < 5 && alone > 100, `${full} blocks and ${alone} alone`);
    await pruneAll(store, { ...KEEP, packReceivedBefore: NOON + 1000 });
    assert.ok((await count('events', { i: 1 })) < 8);
    assert.ok((await blocks()) < 10);
  });

  it('that lost most events while they were young are rewritten when they are an hour old', async () => {
    const project = await makeProject(store);
    const journal = new TestJournal(store);
    // One of twenty events is of the error that stays.
    const events = Array.from({ length: 640 }, (_, index) =>
      makeEvent(project, `${index}`, { at: NOON + index, group: index % 20 === 0 ? 'few' : 'many' }),
    );
    await journal.apply(events);
    const before = await blocks();
    await pruneAll(store, { ...KEEP, maxEventsPerError: 40, payloadsOnly: true });
    const young = await blocks();
    assert.ok(young > before / 2, `${young} of ${before}`);
    assert.equal(await count('events', { i: 1 }), 0, 'none was unpacked');
    ahead = 2 * HOUR;
    // The run that finds them old leaves them to the next one.
    for (const _ of [1, 2]) await pruneAll(store, { ...KEEP, maxEventsPerError: 40, payloadsOnly: true });
    assert.ok((await count('events', { i: 1 })) > 20);
    await pruneAll(store, { ...KEEP, packReceivedBefore: NOON + 1000 });
    const packed = await blocks();
    assert.ok(packed < 4 && packed < young, `${packed} of ${young}`);
    assert.equal(await count('events', { d: { $exists: true } }), 32 + 38);
  });

  it('that are moved to another block while an export reads are exported all the same', async () => {
    const project = await makeProject(store);
    const events = Array.from({ length: 20 }, (_, index) => makeEvent(project, `${index}`, { at: NOON + index }));
    await new TestJournal(store).apply(events);
    const { events: documents, eventBlocks } = context.collections;
    const [block] = await eventBlocks.find({}).toArray();
    assert.ok(block);
    let moves = 0;
    const move = async (): Promise<void> => {
      moves += 1;
      if (moves > 1) return;
      const moved = { ...block, _id: blockKey(project.id, 'ab'.repeat(16)) };
      await eventBlocks.insertOne(moved);
      await documents.updateMany({ p: project.id }, { $set: { d: blockRef(moved._id) } });
      await eventBlocks.deleteOne({ _id: block._id });
    };
    // Blocks are moved after the events were read, and before their blocks are.
    const find = (...args: Parameters<typeof eventBlocks.find>) => {
      const toArray = async () => {
        await move();
        return eventBlocks.find(...args).toArray();
      };
      return { batchSize: () => ({ toArray }) };
    };
    const collections = { ...context.collections, eventBlocks: { find } as unknown as typeof eventBlocks };
    const source = await openMongoExport({ ...context, collections });
    const bodies: string[] = [];
    for await (const page of source.events({ projectId: null, since: null })) {
      bodies.push(...page.flatMap(({ json }) => (json === null ? [] : json.toString())));
    }
    assert.deepEqual([moves, new Set(bodies).size], [2, 20]);
  });
});
