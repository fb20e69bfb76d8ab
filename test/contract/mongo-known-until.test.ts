import assert from 'node:assert/strict';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import type { MongoContext } from '../../src/storage/mongo/engine/context.ts';
import { countedLater, lastClosed } from '../../src/storage/mongo/imports/counted-later.ts';
import { recountKnownUntil } from '../../src/storage/mongo/imports/known-until.ts';
import { importIssue, makeIssue, makeSource } from '../support/import-data.ts';
import { describeOnMongo } from '../support/mongo-engine.ts';
import { openEmptyMongo, type OpenedMongo } from '../support/mongo-harness.ts';
import { DAY, HOUR, makeEvent, makeProject, TestJournal } from '../support/store-data.ts';

describeOnMongo('events known to a tracker until a time, on MongoDB', function (uri) {
  this.timeout(120_000);
  let context: MongoContext;
  let store: Store;
  let close: OpenedMongo['close'];
  let project: Project;
  let errorId: string;
  let journal: TestJournal;

  before(async () => {
    ({ context, store, close } = await openEmptyMongo(uri));
  });
  after(() => close());
  beforeEach(async () => {
    project = await makeProject(store);
    const source = await makeSource(store, project);
    errorId = await importIssue(store, project, makeIssue(source, '1'), 10, ['a']);
    journal = new TestJournal(store);
  });

  const event = (name: string, receivedAt: number) =>
    makeEvent(project, name, { group: 'a', receivedAt, at: receivedAt });

  it('are counted beside batches that are stored and not counted yet', async () => {
    const { events, slots } = context.collections;
    const until = Date.now() - HOUR;
    await journal.apply([event('1', until - 2), event('2', until - 1), event('3', until + 1)]);
    const closed = await lastClosed(context);
    const later = event('4', until + 2);
    await journal.apply([later]);
    const row = await context.collections.errors.findOne({ p: project.id, id: Number(errorId) });
    assert.ok(row !== null);
    // The state before the second batch was counted: its event is stored, and the document has an older watermark.
    const slot = Object.keys(row.w)[0] ?? '';
    const stored = await events.findOne({ p: project.id, r: until + 2 });
    assert.equal(String(stored?.s), slot);
    const before = { [slot]: closed.get(Number(slot)) ?? 0 };
    const groupHash = row._id.toString('hex').slice(8);
    const counted = await countedLater(context, project.id, until, closed);
    assert.equal(counted.isWhole, true);
    assert.deepEqual([counted.of(groupHash, before), counted.of(groupHash, row.w)], [1, 2]);
    // A gateway that has begun since is not among those that were looked at.
    assert.equal((await countedLater(context, project.id, until, new Map())).isWhole, false);
    assert.ok((await slots.countDocuments({})) > 0);
  });

  it('are the same when batches go on between its steps, and again', async () => {
    const until = Date.now() - HOUR;
    await journal.apply([event('1', until - 2), event('2', until - 1), event('3', until + 1)]);
    let turn = 0;
    const goOn = () => journal.apply([event(`later ${++turn}`, until + 1 + turn)]);
    // Reads of events, with a batch before and one behind each.
    const events = new Proxy(context.collections.events, {
      get: (target, name) =>
        name === 'aggregate'
          ? (...args: Parameters<typeof target.aggregate>) => ({
              toArray: async () => {
                await goOn();
                const found = await target.aggregate(...args).toArray();
                await goOn();
                return found;
              },
            })
          : (Reflect.get(target, name, target) as unknown),
    });
    const between = { ...context, collections: { ...context.collections, events } };
    await recountKnownUntil(between, project.id, until);
    assert.equal(turn, 2);
    await recountKnownUntil(between, project.id, until);
    const row = await context.collections.errors.findOne({ p: project.id, id: Number(errorId) });
    assert.deepEqual([row?.kb, row?.c], [2, 17]);
  });

  it('are counted once when marks of theirs were moved to the error before', async () => {
    const now = Date.now();
    const source = (await store.listImportSources(project.id))[0];
    assert.ok(source !== undefined);
    const [old, young] = [event('old', now - 20 * DAY), event('young', now - 1000)];
    await journal.apply([old, young]);
    await store.markKnownThere(project.id, [old.eventId, young.eventId], now);
    assert.equal(await store.knownThere(project.id, errorId, now), 2);
    await store.setBothReceiveUntil(source.id, now - HOUR);
    assert.equal(await store.knownThere(project.id, errorId, now), 2);
    await store.setBothReceiveUntil(source.id, now + DAY);
    assert.equal(await store.knownThere(project.id, errorId, now), 2);
  });
});
