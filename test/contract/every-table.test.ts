import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALERTS_RESTORED } from '../../src/domain/ports/stores/alert-store.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { COPY_PARTS } from '../../src/storage/copy/copy-rows.ts';
import { copyStore } from '../../src/storage/copy/copy-store.ts';
import { COLLECTIONS } from '../../src/storage/mongo/engine/collections.ts';
import { openCopy, openStore, sqliteFile } from '../../src/storage/open/open-store.ts';
import { openCopySource } from '../../src/storage/sqlite/copy/copy-source.ts';
import { fileAreaOf } from '../../src/storage/sqlite/files/file-area.ts';
import { namedFiles } from '../../src/storage/sqlite/files/named-files.ts';
import { allMongoRows, allSqliteRows, type AllRows } from '../support/all-rows.ts';
import { callErrgate } from '../support/cli-call.ts';
import { fillInstance, fillProject, type FilledProject } from '../support/fill-every-table.ts';
import { describeOnMongo, TestDatabases } from '../support/mongo-engine.ts';
import { MONGO_COLLECTIONS, SQLITE_TABLES, type CollectionRole, type Not } from '../support/table-roles.ts';

/** Tables without rows in a store that is in use: their rows are gone soon, or earlier versions wrote them. */
const EMPTY = ['removed_projects', 'removed_errors', 'aliases', 'deletederrors'];

/** Leaves out the activity log in documents of errors, which records merging and separating. */
function withoutLog(row: string): string {
  const { log: _log, ...rest } = JSON.parse(row) as { readonly log?: unknown };
  return JSON.stringify(rest);
}

/** Tests that hold for the tables of SQLite and the collections of MongoDB alike. */
function everyTable(roles: Readonly<Record<string, CollectionRole>>, open: () => Promise<OpenTables>): void {
  let tables: OpenTables;
  let userId: number;
  let stays: FilledProject;

  before(async () => {
    tables = await open();
    userId = await fillInstance(tables.store);
    stays = await fillProject(tables.store, 'acme/stays', userId);
  });
  after(() => tables.dispose());

  /** Requires the same rows; of tables that say why not, nothing. */
  function requireSame(before: AllRows, after: AllRows, of: 'deletion' | 'merge'): void {
    for (const [name, rows] of before) {
      const role = roles[name]?.[of];
      if (role !== 'same' && role !== 'removed') continue;
      assert.deepEqual(after.get(name)?.map(withoutLog), rows.map(withoutLog), name);
    }
  }

  it('have a role each, and no role is of a table that is gone', async () => {
    assert.deepEqual(
      [...(await tables.rows()).keys()].sort(),
      Object.keys(roles).sort(),
      'say in test/support/table-roles.ts how each table takes part',
    );
  });

  it('have rows in this test, so that what it says of them is tried', async () => {
    const empty = [...(await tables.rows())].filter(([, rows]) => rows.length === 0).map(([name]) => name);
    assert.deepEqual(
      empty.filter((name) => !EMPTY.includes(name)),
      [],
    );
  });

  it('keep no row of a deleted project, and every row of another one', async () => {
    const before = await tables.rows();
    const { project } = await fillProject(tables.store, 'acme/goes', userId);
    const filled = await tables.rows();
    for (const [name, rows] of filled) {
      const grows = roles[name]?.deletion === 'removed' && !EMPTY.includes(name);
      if (grows) assert.ok(rows.length > (before.get(name)?.length ?? 0), `${name} has rows of the project`);
    }
    assert.ok(await tables.store.deleteProject(project.id));
    requireSame(before, await tables.rows(), 'deletion');
  });

  it('are as before when errors were merged and separated again', async () => {
    // Separated errors are ranked at once.
    await tables.store.rankErrors(Date.now());
    const before = await tables.rows();
    const { project, apart } = stays;
    const errorId = await tables.store.mergeErrors(project.id, apart);
    assert.ok(errorId !== null);
    await tables.store.rollUpMerged();
    assert.notDeepEqual(await tables.rows(), before);
    await tables.store.unmergeErrors(project.id, errorId, null);
    await tables.store.rollUpMerged();
    requireSame(before, await tables.rows(), 'merge');
  });

  it('are in an export, or say why not', async () => {
    const folder = join(tables.dataDir, 'export');
    const { code, stderr } = await callErrgate(['export', '--to', folder, '--with-keys'], tables.env);
    assert.equal(code, 0, stderr);
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ndjson'));
    const text = (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('\n');
    for (const [name, { exported }] of Object.entries(SQLITE_TABLES)) {
      if (exported instanceof RegExp) assert.match(text, exported, name);
    }
  });
}

interface OpenTables {
  readonly store: Store;
  readonly dataDir: string;
  readonly env: NodeJS.ProcessEnv;
  rows(): Promise<AllRows>;
  dispose(): Promise<void>;
}

async function openTables(url: string, rows: (dataDir: string) => Promise<AllRows> | AllRows): Promise<OpenTables> {
  const dataDir = await mkdtemp(join(tmpdir(), 'errgate-tables-'));
  const store = await openStore({ url, dataDir });
  return {
    store,
    dataDir,
    env: { ERRGATE_DATA_DIR: dataDir, ERRGATE_STORE_URL: url, ERRGATE_SECRET_KEY: 'ab'.repeat(32) },
    rows: async () => rows(dataDir),
    async dispose() {
      await store.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const isNot = (role: unknown): role is Not => typeof role === 'object' && role !== null && 'not' in role;

describe('all tables of SQLite', function () {
  this.timeout(60_000);
  let tables: OpenTables;
  everyTable(SQLITE_TABLES, async () => (tables = await openTables('sqlite:', allSqliteRows)));

  it('are in a restored backup, or say why not', async () => {
    const [file, restored] = ['backup.db', 'restored'].map((name) => join(tables.dataDir, name)) as [string, string];
    const made = await callErrgate(['backup', file], tables.env);
    assert.equal(made.code, 0, made.stderr);
    const put = await callErrgate(['restore', file], { ...tables.env, ERRGATE_DATA_DIR: restored });
    assert.equal(put.code, 0, put.stderr);
    const after = allSqliteRows(restored);
    for (const [name, rows] of await tables.rows()) {
      if (isNot(SQLITE_TABLES[name]?.backup)) assert.deepEqual(after.get(name), [], name);
      else
        assert.deepEqual(
          after.get(name)?.filter((row) => !row.includes(`"${ALERTS_RESTORED}"`) && !row.includes('"store_restored"')),
          rows,
          name,
        );
    }
    const store = sqliteFile('sqlite:', restored);
    const files = namedFiles(store);
    assert.equal(files.length, 3);
    for (const name of files) assert.ok(existsSync(join(fileAreaOf(store), name)), name);
  });

  it('are read by copy-store, or say why not', async () => {
    const source = await openCopySource(sqliteFile('sqlite:', tables.dataDir));
    try {
      const parts = Object.values(SQLITE_TABLES).flatMap(({ copy }) => (isNot(copy) ? [] : [copy]));
      assert.deepEqual([...new Set(parts)].sort(), [...COPY_PARTS].sort());
      for (const part of COPY_PARTS) assert.ok(source.count(part) > 0, part);
    } finally {
      await source.close();
    }
  });
});

describeOnMongo('all collections of MongoDB', function (uri) {
  this.timeout(180_000);
  const databases = new TestDatabases(uri);
  after(() => databases.dropAll());
  const url = databases.create();
  everyTable(MONGO_COLLECTIONS, () => openTables(url, () => allMongoRows(url)));

  it('are those that the store opens, and copy-store writes each that has a part', () => {
    assert.deepEqual(
      Object.values(COLLECTIONS).map(({ name }) => name).sort(), // prettier-ignore
      Object.keys(MONGO_COLLECTIONS).sort(),
    );
    const parts = Object.values(MONGO_COLLECTIONS).flatMap(({ copy }) => (isNot(copy) ? [] : [copy]));
    assert.deepEqual(parts.sort(), [...COPY_PARTS].sort());
  });

  it('have every row of the tables that were copied', async () => {
    const target = databases.create();
    const tables = await openTables('sqlite:', allSqliteRows);
    try {
      await fillProject(tables.store, 'acme/stays', await fillInstance(tables.store));
      const copy = await openCopy(sqliteFile('sqlite:', tables.dataDir), target);
      try {
        const counts = await copyStore({ source: copy.source, target: copy.target, sourceId: 'source' });
        for (const { part, source, target: copied } of counts) assert.ok(source > 0 && source === copied, part);
      } finally {
        await copy.source.close();
        await copy.target.close();
      }
      const rows = await allMongoRows(target);
      for (const [name, { copy: part }] of Object.entries(MONGO_COLLECTIONS)) {
        if (!isNot(part)) assert.ok((rows.get(name)?.length ?? 0) > 0, name);
      }
      assert.deepEqual([rows.get('artifacts.files')?.length, rows.get('artifacts.chunks')?.length], [3, 3]);
    } finally {
      await tables.dispose();
    }
  });
});
