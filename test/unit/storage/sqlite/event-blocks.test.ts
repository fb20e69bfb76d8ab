import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Store } from '../../../../src/domain/ports/store.ts';
import type { Project } from '../../../../src/domain/project.ts';
import { openStore } from '../../../../src/storage/open-store.ts';
import { sqlite, type SqliteConnection } from '../../../../src/storage/sqlite/driver.ts';
import { KEEP, pruneAll } from '../../../support/prune-all.ts';
import { errorOf, makeEvent, makeProject, NOON, TestJournal } from '../../../support/store-data.ts';
import { makeDataDir } from '../../../support/store-harness.ts';

describe('the blocks of event bodies in an embedded store', function () {
  this.timeout(60_000);
  let dataDir = '';
  let store: Store;
  let raw: SqliteConnection;
  const count = (from: string) => Number(raw.prepare(`SELECT count(*) AS n FROM ${from}`).get()?.n);
  const eventsOf = (project: Project, size: number, from = 0, group = 'default') =>
    Array.from({ length: size }, (_, index) =>
      makeEvent(project, `${from + index}`, { at: NOON + from + index, group }),
    );
  beforeEach(async () => {
    dataDir = await makeDataDir();
    store = await openStore({ url: 'sqlite:', dataDir });
    raw = new sqlite.DatabaseSync(join(dataDir, 'errgate.db'));
  });
  afterEach(async () => {
    raw.close();
    await store.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Returns the messages of stored events, by their names. */
  async function messages(project: Project, names: readonly number[], group = 'default') {
    const { id } = await errorOf(store, project, group);
    const ids = names.map((name) => makeEvent(project, String(name)).eventId);
    return Promise.all(ids.map(async (eventId) => (await store.event(project.id, id, eventId))?.event.message));
  }

  it('are not stored for a batch of repeats alone', async () => {
    const project = await makeProject(store);
    const journal = new TestJournal(store);
    await journal.apply(eventsOf(project, 20));
    assert.equal(count('event_blocks'), 1);
    await journal.apply(eventsOf(project, 20));
    assert.equal(count('event_blocks'), 1);
    await journal.apply([...eventsOf(project, 20), ...eventsOf(project, 1, 20)]);
    assert.equal(count('event_blocks'), 2, 'one new event among them needs its block');
  });

  it('are made again of what is left of dissolved ones', async () => {
    const project = await makeProject(store);
    const journal = new TestJournal(store);
    await journal.apply(eventsOf(project, 40));
    for (const event of eventsOf(project, 10, 40, 'other')) await journal.apply([event]);
    await pruneAll(store, { ...KEEP, packReceivedBefore: NOON + 1000 });
    assert.equal(count('events WHERE block_id IS NULL'), 0);
    await pruneAll(store, { ...KEEP, maxEventsPerError: 12 });
    assert.equal(count('events WHERE block_id IS NULL'), 12);
    await pruneAll(store, { ...KEEP, packReceivedBefore: NOON + 1000 });
    assert.equal(count('events WHERE block_id IS NULL'), 0);
    assert.deepEqual(await messages(project, [0, 39]), ['0', '39']);
  });

  it('take less space than the same bodies one by one', async () => {
    const project = await makeProject(store);
    const journal = new TestJournal(store);
    const pages = () =>
      Number(raw.prepare('PRAGMA page_count').get()?.page_count) -
      Number(raw.prepare('PRAGMA freelist_count').get()?.freelist_count);
    const empty = pages();
    for (const event of eventsOf(project, 600)) await journal.apply([event]);
    const before = pages() - empty;
    await pruneAll(store, { ...KEEP, packReceivedBefore: NOON + 1000 });
    const after = pages() - empty;
    assert.ok(after < before * 0.7, `${before} pages became ${after}`);
  });

  it('are made of later events too, after all former ones are gone and ids begin again', async () => {
    const project = await makeProject(store);
    const journal = new TestJournal(store);
    for (const event of eventsOf(project, 40)) await journal.apply([event]);
    await pruneAll(store, { ...KEEP, packReceivedBefore: NOON + 100 });
    assert.equal(count('event_blocks'), 1);
    await pruneAll(store, { ...KEEP, receivedBefore: NOON + 100, keysReceivedBefore: NOON + 100 });
    assert.equal(count('event_keys'), 0);
    for (const event of eventsOf(project, 10, 200)) await journal.apply([event]);
    await pruneAll(store, { ...KEEP, packReceivedBefore: NOON + 300 });
    assert.equal(count('event_blocks'), 1);
    assert.deepEqual(await messages(project, [200, 209]), ['200', '209']);
  });

  it('are removed with the last of their events', async () => {
    const project = await makeProject(store);
    const journal = new TestJournal(store);
    await journal.apply(eventsOf(project, 20));
    await journal.apply(eventsOf(project, 20, 20));
    await pruneAll(store, { ...KEEP, receivedBefore: NOON + 19 });
    assert.equal(count('event_blocks'), 2);
    await pruneAll(store, { ...KEEP, receivedBefore: NOON + 20 });
    assert.equal(count('event_blocks'), 1);
    await store.deleteProject(project.id);
    await pruneAll(store, KEEP);
    assert.deepEqual([count('event_blocks'), count('events')], [0, 0]);
  });

  it('of other projects stay while a large project is removed in slices', async () => {
    const [gone, kept] = [await makeProject(store), await makeProject(store)];
    const journal = new TestJournal(store);
    await journal.apply(eventsOf(gone, 5000, 100));
    // The newest block has the oldest events of one error, which go first, and those of another.
    await journal.apply([...eventsOf(gone, 10), ...eventsOf(gone, 10, 10, 'another')]);
    raw.exec(`DELETE FROM projects WHERE id = ${gone.id}; INSERT INTO removed_projects VALUES (${gone.id})`);
    assert.equal((await store.prune(KEEP)).done, false);
    assert.ok(count(`events WHERE error_id IN (SELECT id FROM errors WHERE project_id = ${gone.id})`) > 0);

    await journal.apply(eventsOf(kept, 10));
    await pruneAll(store, KEEP);
    assert.equal(count('event_blocks'), 1);
    const names = Array.from({ length: 10 }, (_, index) => index);
    assert.deepEqual(await messages(kept, names), names.map(String));
  });

  it('that are damaged or lost make their events unreadable, and nothing else', async () => {
    const project = await makeProject(store);
    const journal = new TestJournal(store);
    await journal.apply(eventsOf(project, 20));
    await journal.apply(eventsOf(project, 20, 20));
    const { id } = await errorOf(store, project);
    const [, damaged = '', sound = ''] = [0, 0, 20].map((name) => makeEvent(project, String(name)).eventId);
    for (const change of ["UPDATE event_blocks SET bodies = x'09'", 'DELETE FROM event_blocks']) {
      raw.exec(`${change} WHERE id = 1`);
      await assert.rejects(store.event(project.id, id, damaged), { name: 'AppError', code: 'internal' });
      assert.equal((await store.event(project.id, id, sound))?.event.message, '20');
      assert.equal((await store.listEvents(project.id, id, 100, null))?.items.length, 40);
    }
    await pruneAll(store, { ...KEEP, receivedBefore: NOON + 20 });
    assert.deepEqual([count('event_blocks'), count('events')], [1, 20]);
  });

  it('that are damaged do not stop retention, which keeps what it cannot read', async () => {
    const project = await makeProject(store);
    const journal = new TestJournal(store);
    for (const event of eventsOf(project, 20)) await journal.apply([event]);
    await journal.apply(eventsOf(project, 40, 20, 'crowded'));
    raw.exec("UPDATE events SET payload = x'09' WHERE id = 5; UPDATE event_blocks SET bodies = x'0105'");
    const limits = { ...KEEP, hoursBefore: NOON * 2, packReceivedBefore: NOON * 2 };
    await pruneAll(store, { ...limits, maxEventsPerError: 30 });
    await pruneAll(store, { ...limits, maxEventsPerError: 4 });
    assert.equal(count('error_hours'), 0, 'everything else is done');
    const names = [0, 19];
    assert.deepEqual(await messages(project, names), names.map(String));
    assert.equal(count("events WHERE payload = x'09' OR block_id = 1") > 0, true);
    await pruneAll(store, { ...limits, receivedBefore: NOON * 2 });
    assert.deepEqual([count('event_blocks'), count('events')], [0, 0]);
  });
});
