import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DigestedEvent } from '../../../../src/domain/ingest/digest.ts';
import type { Store } from '../../../../src/domain/ports/stores/store.ts';
import { openStore } from '../../../../src/storage/open/open-store.ts';
import { meta } from '../../../../src/storage/records/kinds/value-kinds.ts';
import { put } from '../../../../src/storage/records/writes.ts';
import { SqliteDatabase } from '../../../../src/storage/sqlite/engine/database.ts';
import { sqlite, type SqliteConnection } from '../../../../src/storage/sqlite/engine/driver.ts';
import { LocalExecutor } from '../../../../src/storage/sqlite/local-executor.ts';
import { toAppError } from '../../../../src/storage/sqlite/engine/sqlite-errors.ts';
import { AppError } from '../../../../src/domain/app-error.ts';
import { errorOf, makeEvent, makeProject, NOON, TestJournal } from '../../../support/store-data.ts';
import { makeDataDir } from '../../../support/store-harness.ts';
import { makeLoad } from '../../../support/store-load.ts';

describe('SqliteStore', () => {
  let dataDir = '';
  let store: Store;
  let raw: SqliteConnection;
  const value = (sql: string) => Object.values(raw.prepare(sql).get() ?? {})[0];
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

  it('keeps the settings that its promises rest on', () => {
    assert.equal(value('PRAGMA journal_mode'), 'wal');
    assert.equal(value('PRAGMA auto_vacuum'), 2);
    const tables = "FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%'";
    assert.ok(Number(value(`SELECT count(*) ${tables}`)) > 15);
    assert.equal(value(`SELECT count(*) ${tables} AND strict = 0`), 0, 'every table is STRICT');
    const db = new SqliteDatabase(join(dataDir, 'errgate.db'), { cacheKib: 1000 });
    assert.equal(db.number('PRAGMA synchronous'), 2, 'FULL: a commit survives a power cut');
    assert.equal(db.number('PRAGMA foreign_keys'), 1);
    assert.equal(db.number('PRAGMA busy_timeout'), 5000);
    assert.equal(db.number('PRAGMA cache_size'), -1000);
    db.close();
  });

  it('undoes the whole batch when one event cannot be stored, and takes the mended batch after it', async () => {
    const project = await makeProject(store);
    const journal = new TestJournal(store);
    const good = makeEvent(project, 'good', { user: 'ada', tags: [['a', 'b']] });
    const bad = { ...makeEvent(project, 'bad'), payload: 'no bytes' } as unknown as DigestedEvent;
    await assert.rejects(journal.apply([good, bad]), { name: 'AppError', code: 'internal' });
    for (const table of ['errors', 'events', 'event_keys', 'error_users', 'error_tags', 'outcomes', 'journals']) {
      assert.equal(value(`SELECT count(*) FROM ${table}`), 0, table);
    }
    journal.n = 0;
    const result = await journal.apply([good]);
    assert.deepEqual(result, { kind: 'applied', stored: 1, duplicates: 0, newErrors: 1 });
  });

  it('commits again before it confirms a batch: a killed process may have left it unsynced', async () => {
    const project = await makeProject(store);
    const journal = new TestJournal(store);
    const events = [makeEvent(project, 'a')];
    await journal.apply(events);
    const commits = () => value('PRAGMA data_version');
    for (const ask of [() => journal.replay(events), () => store.completeBatch(journal.batchId(1))]) {
      const before = commits();
      assert.deepEqual(await ask(), { kind: 'already_applied' });
      assert.notEqual(commits(), before);
    }
    const before = commits();
    assert.equal(await store.completeBatch(journal.batchId(2)), null);
    assert.equal(commits(), before);
  });

  it('gives the space of removed events back to the file system', async () => {
    const project = await makeProject(store);
    const journal = new TestJournal(store);
    for (let batch = 0; batch < 5; batch += 1) {
      await journal.apply(makeLoad(project, batch, 1000));
    }
    const pages = Number(value('PRAGMA page_count'));
    const limits = { receivedBefore: NOON * 2, maxEventsPerError: null, keysReceivedBefore: NOON * 2 };
    let calls = 0;
    for (let done = false; !done; calls += 1) {
      const progress = await store.prune({ ...limits, hoursBefore: 0, outcomesBefore: 0 });
      assert.ok(progress.events <= 2000 && progress.keys <= 4000, 'every call is bounded');
      done = progress.done;
    }
    assert.ok(calls > 2);
    assert.equal(value('SELECT count(*) FROM events'), 0);
    assert.equal(value('SELECT count(*) FROM event_keys'), 0);
    assert.equal(value('PRAGMA freelist_count'), 0);
    assert.ok(Number(value('PRAGMA page_count')) < pages / 4);
    assert.equal((await errorOf(store, project, 'load 3')).count, 250);
    assert.equal(value('SELECT sum(stored) FROM errors'), 0, 'the number of stored payloads follows');
  });

  it('removes a large project in bounded slices, also after a crash between them', async () => {
    const [gone, kept] = [await makeProject(store, 'a/gone'), await makeProject(store, 'a/kept')];
    const journal = new TestJournal(store);
    for (let batch = 0; batch < 7; batch += 1) {
      await journal.apply([...makeLoad(gone, batch, 1000), makeEvent(kept, `kept ${batch}`)]);
    }
    raw.exec(`DELETE FROM projects WHERE id = ${gone.id}; INSERT INTO removed_projects VALUES (${gone.id})`);
    const nothing = { receivedBefore: null, maxEventsPerError: null, keysReceivedBefore: 0 };
    let calls = 1;
    while (!(await store.prune({ ...nothing, hoursBefore: 0, outcomesBefore: 0 })).done) {
      calls += 1;
    }
    assert.ok(calls > 2, 'it took several slices');
    for (const [table, left] of [
      ['errors', 1],
      ['events', 7],
      ['event_keys', 7],
      ['error_users', 0],
      ['error_hours', 1],
      ['error_tags', 0],
      ['removed_projects', 0],
    ] as const) {
      assert.equal(value(`SELECT count(*) FROM ${table}`), left, table);
    }
    assert.equal(value(`SELECT count(*) FROM outcomes WHERE project_id = ${gone.id}`), 0);
  });

  it('answers store_unavailable, never a raw error, when the data cannot be read', async () => {
    const project = await makeProject(store);
    await new TestJournal(store).apply([makeEvent(project, 'a')]);
    const { id } = await errorOf(store, project);
    raw.exec("UPDATE events SET payload = x'09'");
    await assert.rejects(store.latestEvent(project.id, id), { name: 'AppError', code: 'internal' });
    raw.exec('DROP TABLE event_keys');
    await assert.rejects(store.listEvents(project.id, id, 5, null), { name: 'AppError', code: 'internal' });
  });

  it('says that the store is unavailable when another process keeps it locked for too long', async () => {
    const file = join(dataDir, 'errgate.db');
    const executor = new LocalExecutor(new SqliteDatabase(file, { cacheKib: 1000, busyTimeoutMs: 20 }));
    const set = (value: string) => executor.run('writeRecords', [put(meta, { key: 'a', value })]);
    raw.exec('BEGIN IMMEDIATE');
    await assert.rejects(set('b'), {
      name: 'AppError',
      code: 'store_unavailable',
      message: /locked by another process/,
    });
    raw.exec('ROLLBACK');
    await set('c');
    assert.equal(await store.getMeta('a'), 'c');
    await executor.close();
  });

  it('reads beside a write of another process, and writes after it', async () => {
    raw.exec('BEGIN IMMEDIATE');
    raw.exec("INSERT INTO meta VALUES ('a', 'b')");
    assert.equal(await store.getMeta('a'), null, 'reads do not wait');
    raw.exec('COMMIT');
    await store.setMeta('c', 'd');
    assert.equal(await store.getMeta('a'), 'b');
  });
});

describe('toAppError', () => {
  const driverError = (errcode: number) => Object.assign(new Error('raw text'), { errcode });

  it('says what helps for each way in which the file cannot be used', () => {
    for (const code of [5, 6, 8, 10, 11, 13, 14, 15, 26, 261, 778, 1032, 1034]) {
      const error = toAppError(driverError(code));
      assert.equal(error.code, 'store_unavailable', String(code));
      assert.doesNotMatch(error.message, /raw text/);
      assert.ok(error.retryAfterSeconds !== undefined);
    }
  });

  it('distinguishes conflicts, missing references and all other errors', () => {
    assert.equal(toAppError(driverError(2067)).code, 'conflict');
    assert.equal(toAppError(driverError(1555)).code, 'conflict');
    assert.equal(toAppError(driverError(787)).code, 'not_found');
    assert.equal(toAppError(driverError(1299)).code, 'internal');
    assert.equal(toAppError(driverError(1)).code, 'internal');
    assert.equal(toAppError(new Error('x')).code, 'internal');
    const own = new AppError('bad_request', 'x');
    assert.equal(toAppError(own), own);
  });
});
