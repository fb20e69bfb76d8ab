import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { open, readdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Store } from '../../../../src/domain/ports/stores/store.ts';
import { openStore } from '../../../../src/storage/open/open-store.ts';
import { backupSqlite } from '../../../../src/storage/sqlite/files/backup.ts';
import { sqlite } from '../../../../src/storage/sqlite/engine/driver.ts';
import { SCHEMA_VERSION } from '../../../../src/storage/sqlite/migrations/migrations.ts';
import { restoreSqlite } from '../../../../src/storage/sqlite/files/restore.ts';
import { makeArtifact, partsOf } from '../../../support/artifact-data.ts';
import { listAll, makeEvent, makeForward, makeProject, TestJournal } from '../../../support/store-data.ts';
import { makeDataDir } from '../../../support/store-harness.ts';
import { makeLoad } from '../../../support/store-load.ts';

const SIZE = 1000;

describe('backup and restore', () => {
  let dataDir = '';
  let store: Store;
  const at = (name: string) => join(dataDir, name);
  const source = () => at('errgate.db');
  const openRestored = () => openStore({ url: `sqlite:${at('restored.db')}`, dataDir });
  beforeEach(async () => {
    dataDir = await makeDataDir();
    store = await openStore({ url: 'sqlite:', dataDir });
  });
  afterEach(async () => {
    await store.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('takes one consistent state under write load, which restores to the same counts, keys and reads', async () => {
    const project = await makeProject(store);
    const key = await store.createKey(project.id, 'glet_key');
    const own = await store.saveProtection(project.id, { sensitiveFields: ['iban'], keyEventsPerMinute: 9 });
    await store.saveForward(makeForward(project.id));
    const journal = new TestJournal(store);
    for (let batch = 0; batch < 12; batch += 1) {
      await journal.apply(makeLoad(project, batch, SIZE));
    }
    const steps: [number, number][] = [];
    const state = { running: true };
    const backup = backupSqlite(source(), at('x.backup'), {
      onProgress: (done, total) => steps.push([done, total]),
    }).finally(() => (state.running = false));
    let during = 0;
    while (state.running) {
      await journal.apply(makeLoad(project, 100 + during, SIZE));
      during += 1;
      await new Promise(setImmediate);
    }
    const counts = await backup;
    assert.ok(during > 1, 'there was load during the copy');
    assert.ok(steps.length > 0, 'progress was reported');
    assert.ok(steps.every(([done, total]) => done > 0 && done <= total));
    assert.deepEqual(await restoreSqlite(at('x.backup'), at('restored.db')), {
      ...counts,
      secrets: {},
      waitingAlerts: 0,
      missingFiles: 0,
    });

    const restored = await openRestored();
    const batches = await restored.lastBatch(journal.id);
    assert.ok(batches >= 12 && batches <= journal.n);
    assert.equal(counts.events, batches * SIZE);
    const errors = await listAll(restored, project);
    assert.equal(
      errors.reduce((sum, { count }) => sum + count, 0),
      batches * SIZE,
    );
    assert.deepEqual([counts.errors, counts.projects, errors.length], [20, 1, 20]);
    assert.deepEqual(await restored.listKeys(project.id), [key]);
    assert.deepEqual(await restored.protection(project.id), own);
    assert.deepEqual(await restored.forward(project.id), makeForward(project.id));
    const eventId = makeEvent(project, `load 0 3`).eventId;
    const error = errors.find(({ message }) => message === 'bad value in load 3');
    assert.ok(await restored.event(project.id, error?.id ?? '', eventId));
    // What the journal still holds goes in once more; what it had forgotten is recognised as a gap.
    assert.equal(
      (await restored.applyBatch(journal.batchId(batches), { events: [], outcomes: [] })).kind,
      'already_applied',
    );
    if (batches < journal.n) {
      assert.equal(
        (await restored.applyBatch(journal.batchId(batches + 2), { events: [], outcomes: [] })).kind,
        'foreign',
      );
    }
    await restored.close();
  });

  it('leaves sessions of browsers out, so that none that is ended later comes back', async () => {
    const user = await store.createUser({ username: 'ada', name: 'Ada', admin: false, passwordHash: 'x' });
    const hash = 'ab'.repeat(32);
    const times = { createdAt: 1, endsAt: Date.now() + 60_000 };
    const from = { browser: null, address: null, secondFactor: false };
    await store.createSession({ hash, userId: user.id, epoch: 0, ...times, ...from });
    await backupSqlite(source(), at('x.backup'));
    await restoreSqlite(at('x.backup'), at('restored.db'));
    const restored = await openRestored();
    assert.equal(await restored.sessionByHash(hash), null);
    assert.deepEqual(await restored.userById(user.id), user);
    await restored.close();
    assert.ok(!(await readFile(at('x.backup'))).includes(Buffer.from(hash, 'hex')));
    assert.notEqual(await store.sessionByHash(hash), null);
  });

  it('keeps secrets in the backup only, readable by the owner only', async () => {
    const secret = 'c0ffee'.repeat(10);
    await backupSqlite(source(), at('x.backup'), { secrets: { secretKey: secret } });
    assert.equal((await stat(at('x.backup'))).mode & 0o777, 0o600);
    const { secrets } = await restoreSqlite(at('x.backup'), at('restored.db'));
    assert.deepEqual(secrets, { secretKey: secret });
    assert.ok((await readFile(at('x.backup'))).includes(secret));
    assert.equal((await readFile(at('restored.db'))).includes(secret), false);
    assert.equal((await stat(at('restored.db'))).mode & 0o777, 0o600);
  });

  it('overwrites nothing without the option to do so', async () => {
    await writeFile(at('x.backup'), 'precious');
    await assert.rejects(backupSqlite(source(), at('x.backup')), { code: 'conflict' });
    assert.equal(await readFile(at('x.backup'), 'utf8'), 'precious');

    const kept = await makeProject(store, 'in/backup');
    await backupSqlite(source(), at('y.backup'));
    await makeProject(store, 'made/later');
    await store.close();
    await assert.rejects(restoreSqlite(at('y.backup'), source()), { code: 'conflict' });
    await restoreSqlite(at('y.backup'), source(), { force: true });
    store = await openStore({ url: 'sqlite:', dataDir });
    assert.deepEqual(await store.listProjects(), [kept]);
  });

  it('leaves nothing behind when its last step fails, so that it can be made again', async () => {
    const bundle = makeArtifact(await makeProject(store));
    await store.putFile(bundle.file, partsOf('an upload'));
    await store.putBundle(bundle, []);
    const before = await readdir(dataDir);
    const backup = backupSqlite(source(), at('x.backup'));
    // No file can replace a folder, so the copy cannot get its name.
    mkdirSync(at('x.backup'));
    await assert.rejects(backup);
    await rmdir(at('x.backup'));
    assert.deepEqual(await readdir(dataDir), before);
    await backupSqlite(source(), at('x.backup'));
    assert.equal(await readFile(join(at('x.backup.files'), bundle.file), 'utf8'), 'an upload');
  });

  it('refuses what is no sound backup of this or an older program, and leaves nothing behind', async () => {
    await makeProject(store);
    await backupSqlite(source(), at('good.backup'));
    const copy = async (name: string) => writeFile(at(name), await readFile(at('good.backup')));
    const change = (name: string, sql: string) => {
      const db = new sqlite.DatabaseSync(at(name));
      db.exec(sql);
      db.close();
    };
    await writeFile(at('text'), 'not a database at all, but long enough to look at'.repeat(50));
    await writeFile(at('empty'), '');
    await copy('newer');
    change('newer', `PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    change('foreign', 'CREATE TABLE theirs (a)');
    await copy('damaged');
    const handle = await open(at('damaged'), 'r+');
    await handle.write(Buffer.alloc(4096 * 6, 0xff), 0, 4096 * 6, 4096 * 2);
    await handle.close();
    const before = await readdir(dataDir);
    for (const [name, code] of [
      ['missing', 'store_unavailable'],
      ['text', 'invalid_configuration'],
      ['empty', 'invalid_configuration'],
      ['newer', 'store_too_new'],
      ['foreign', 'invalid_configuration'],
      ['damaged', 'store_unavailable'],
    ] as const) {
      await assert.rejects(restoreSqlite(at(name), at('restored.db')), { name: 'AppError', code }, name);
    }
    await assert.rejects(backupSqlite(at('missing'), at('z.backup')), { code: 'store_unavailable' });
    await assert.rejects(backupSqlite(source(), at('no/such/folder')), { name: 'AppError' });
    assert.deepEqual(await readdir(dataDir), before);
  });
});
