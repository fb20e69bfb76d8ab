import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openStore, sqliteFile } from '../../../src/storage/open/open-store.ts';
import { sqlite } from '../../../src/storage/sqlite/engine/driver.ts';
import { SCHEMA_VERSION } from '../../../src/storage/sqlite/migrations/migrations.ts';
import { makeProject } from '../../support/store-data.ts';
import { makeDataDir } from '../../support/store-harness.ts';

describe('openStore', () => {
  let dataDir = '';
  const url = 'sqlite:';
  const file = () => join(dataDir, 'errgate.db');
  const change = (sql: string) => {
    const db = new sqlite.DatabaseSync(file());
    db.exec(sql);
    db.close();
  };
  beforeEach(async () => {
    dataDir = await makeDataDir();
  });
  afterEach(async () => {
    await rm(dataDir, { recursive: true, force: true });
  });

  it('makes the file in the data dir, or where the URL says, for its owner only', async () => {
    const elsewhere = join(dataDir, 'elsewhere.db');
    for (const [given, expected] of [
      [url, file()],
      [`sqlite:${elsewhere}`, elsewhere],
    ] as const) {
      const store = await openStore({ url: given, dataDir });
      await makeProject(store);
      for (const name of [expected, `${expected}-wal`]) {
        assert.equal((await stat(name)).mode & 0o777, 0o600, name);
      }
      await store.close();
    }
  });

  it('refuses URLs that name no file', () => {
    for (const bad of ['', 'sqlite:relative.db', 'mysql://x', 'sqlite', '/a/b']) {
      assert.throws(() => sqliteFile(bad, dataDir), { code: 'invalid_configuration' }, bad);
    }
  });

  it('leaves all in one file and finds everything again', async () => {
    const first = await openStore({ url, dataDir });
    const project = await makeProject(first);
    await first.close();
    const log = await stat(`${file()}-wal`).catch(() => ({ size: 0 }));
    assert.equal(log.size, 0);
    const again = await openStore({ url, dataDir, migrate: false });
    assert.deepEqual(await again.listProjects(), [project]);
    await again.close();
  });

  it('lets several open a fresh store at once', async () => {
    const stores = await Promise.all(Array.from({ length: 4 }, () => openStore({ url, dataDir })));
    const [first] = stores;
    assert.ok(first !== undefined);
    const project = await makeProject(first);
    for (const store of stores) {
      assert.deepEqual(await store.projectById(project.id), project);
      await store.close();
    }
  });

  it('keeps its file locks when another connection of the process comes and goes', async function () {
    // Closing any handle of a file drops the process's locks on it; only Linux shows them.
    if (!existsSync('/proc/locks')) {
      this.skip();
    }
    const store = await openStore({ url, dataDir });
    await makeProject(store);
    const { ino } = await stat(file());
    const held = async () => (await readFile('/proc/locks', 'utf8')).includes(`:${ino} `);
    assert.equal(await held(), true);
    await (await openStore({ url, dataDir })).close();
    assert.equal(await held(), true);
    await store.close();
  });

  it('refuses a store of a newer program, naming both versions, and leaves it as it is', async () => {
    await (await openStore({ url, dataDir })).close();
    change(`PRAGMA user_version = ${SCHEMA_VERSION + 3}`);
    await assert.rejects(openStore({ url, dataDir }), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'store_too_new');
      assert.match(error.message, new RegExp(`${SCHEMA_VERSION + 3}.*${SCHEMA_VERSION}`));
      return true;
    });
    change(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    await (await openStore({ url, dataDir, migrate: false })).close();
  });

  it('names the command when the store is older and it may not migrate', async () => {
    await writeFile(file(), '');
    await assert.rejects(openStore({ url, dataDir, migrate: false }), {
      code: 'store_outdated',
      message: /errgate migrate/,
    });
    await (await openStore({ url, dataDir })).close();
    await (await openStore({ url, dataDir, migrate: false })).close();
  });

  it("refuses another program's database without touching it", async () => {
    change('CREATE TABLE theirs (a); PRAGMA user_version = 1');
    await assert.rejects(openStore({ url, dataDir }), { code: 'invalid_configuration' });
    const db = new sqlite.DatabaseSync(file());
    assert.equal(db.prepare('PRAGMA journal_mode').get()?.journal_mode, 'delete');
    assert.equal(db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.n, 1);
    db.close();
  });

  it('says in a sentence what is wrong with a missing, damaged or unusable file', async () => {
    const cases: [string, string, RegExp][] = [
      ['sqlite:', 'missing', /there is no store/],
      [`sqlite:${dataDir}/no/such/folder.db`, 'no folder', /cannot open .*no\/such.*ENOENT/],
      [`sqlite:${dataDir}/folder`, 'a folder', /cannot be opened/],
      [`sqlite:${dataDir}/text.db`, 'no database', /not an SQLite database/],
    ];
    await mkdir(join(dataDir, 'folder'));
    await writeFile(join(dataDir, 'text.db'), 'x'.repeat(5000));
    for (const [given, what, message] of cases) {
      const opening = openStore({ url: given, dataDir, migrate: what !== 'missing' });
      await assert.rejects(opening, { name: 'AppError', code: 'store_unavailable', message }, what);
    }
  });
});
