import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Store } from '../../../../src/domain/ports/stores/store.ts';
import type { Project } from '../../../../src/domain/projects/project.ts';
import { openStore } from '../../../../src/storage/open/open-store.ts';
import { sqlite, type SqliteConnection } from '../../../../src/storage/sqlite/engine/driver.ts';
import { KEEP, pruneAll } from '../../../support/prune-all.ts';
import { DAY, errorOf, makeEvent, makeProject, NOON, TestJournal } from '../../../support/store-data.ts';
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

  it('are made again of what is left of others', async () => {
    const project = await makeProject(store);
    const journal = new TestJournal(store);
    await journal.apply(eventsOf(project, 40));
    await pruneAll(store, { ...KEEP, maxEventsPerError: 12 });
    assert.deepEqual([count('event_blocks'), count('events WHERE block_id IS NULL')], [1, 0]);
    assert.equal(count('event_blocks WHERE events = 12'), 1);
    await pruneAll(store, { ...KEEP, maxEventsPerError: 5 });
    assert.deepEqual([count('event_blocks'), count('events WHERE block_id IS NULL')], [0, 5]);
    // Too few wait for others of their day.
    await pruneAll(store, { ...KEEP, packReceivedBefore: NOON + 1000 });
    for (const event of eventsOf(project, 3, 40, 'other')) await journal.apply([event]);
    await pruneAll(store, { ...KEEP, packReceivedBefore: NOON + 1000 });
    assert.deepEqual([count('event_blocks'), count('events WHERE block_id IS NULL')], [1, 0]);
    assert.deepEqual(await messages(project, [0, 39]), ['0', '39']);
    assert.deepEqual(await messages(project, [40], 'other'), ['40']);
  });

  it('of several crowded errors are rewritten once, when the last of them has lost its events', async () => {
    const project = await makeProject(store);
    const journal = new TestJournal(store);
    const errors = ['a', 'b', 'c', 'd'];
    for (let batch = 0; batch < 3; batch += 1) {
      const events = Array.from({ length: 220 }, (_, index) => 1000 * batch + 4 * index);
      await journal.apply(
        events.flatMap((from) => errors.flatMap((group, index) => eventsOf(project, 1, from + index, group))),
      );
    }
    assert.ok(count('event_blocks') >= 2640 / 64);
    for (let done = false; !done;) {
      ({ done } = await store.prune({ ...KEEP, maxEventsPerError: 100 }));
      if (count('errors WHERE stored > 100') > 0) {
        assert.equal(count('events WHERE block_id IS NULL'), 0);
        assert.equal(count('event_blocks WHERE events < 40'), 0);
      }
    }
    assert.ok(count('events') > 370 && count('events') <= 400);
    assert.ok(count('event_blocks') < 10, String(count('event_blocks')));
    assert.ok(count('events WHERE block_id IS NULL') < 8);
    assert.deepEqual(await messages(project, [0, 2876], 'a'), ['0', '2876']);
  });

  it('are made of bodies of one day, so that each goes at most a day after its event', async () => {
    const project = await makeProject(store);
    const journal = new TestJournal(store);
    const days = [0, 1, 7].map((day) =>
      eventsOf(project, 10, 10 * day).map((event) => ({ ...event, receivedAt: NOON + day * DAY })),
    );
    const weekly = Array.from({ length: 20 }, (_, week) =>
      makeEvent(project, `${week}`, { at: NOON + week * 7 * DAY }),
    );
    // A journal may come to a batch with events of several days.
    await journal.apply(days.flat());
    for (const event of weekly) await journal.apply([event]);
    await pruneAll(store, { ...KEEP, packReceivedBefore: NOON + 1000 * DAY });
    assert.equal(count('event_blocks'), 3);
    for (const [index, day] of [0, 1, 7].entries()) {
      await pruneAll(store, { ...KEEP, receivedBefore: NOON + (day + 0.5) * DAY });
      assert.equal(count('event_blocks'), 2 - index);
    }
  });

  it('are made of bodies of many projects that came in turns', async () => {
    const projects = [];
    for (let index = 0; index < 300; index += 1) projects.push(await makeProject(store));
    const journal = new TestJournal(store);
    for (let round = 0; round < 8; round += 1) {
      await journal.apply(projects.map((project) => makeEvent(project, `${round}`, { at: NOON + round })));
    }
    assert.equal(count('event_blocks'), 0);
    await pruneAll(store, { ...KEEP, packReceivedBefore: NOON + 1000 });
    assert.equal(count('events WHERE block_id IS NULL'), 0);
    assert.equal(count('event_blocks'), 300);
    await pruneAll(store, { ...KEEP, receivedBefore: NOON + 7 });
    assert.deepEqual([count('event_blocks'), count('events')], [300, 300]);
    const [first, last] = [projects[0] as Project, projects[299] as Project];
    assert.deepEqual([...(await messages(first, [0, 7])), ...(await messages(last, [7]))], [undefined, '7', '7']);
    await pruneAll(store, { ...KEEP, receivedBefore: NOON + 8 });
    assert.deepEqual([count('event_blocks'), count('events')], [0, 0]);
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
