import assert from 'node:assert/strict';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openStore, openWriterStore } from '../../../../src/storage/open/open-store.ts';
import { SqliteDatabase } from '../../../../src/storage/sqlite/engine/database.ts';
import { sqlite } from '../../../../src/storage/sqlite/engine/driver.ts';
import { APPLICATION_ID, migrate } from '../../../../src/storage/sqlite/files/migrate.ts';
import { rankRule } from '../../../../src/storage/sqlite/migrations/0020-rank-rule.ts';
import { migrations } from '../../../../src/storage/sqlite/migrations/migrations.ts';
import { rankAll } from '../../../support/rank-all.ts';
import { errorOf, makeEvent, makeProject, NOON, TestJournal } from '../../../support/store-data.ts';
import { makeDataDir } from '../../../support/store-harness.ts';

/** The schema that did not know when tokens were used. */
const BEFORE_TOKEN_USE = 6;
/** The schema that did not know what trackers are. */
const BEFORE_TRACKER_KIND = 7;
/** The schema whose aliases were numbers. */
const BEFORE_ALIAS_TEXTS = migrations.findIndex((script) => script.includes('alias_texts'));
/** The schema without alerts. */
const BEFORE_ALERTS = migrations.findIndex((script) => script.includes('alert_facts'));
/** The schema whose ranks are of another rule. */
const BEFORE_RANK_RULE = migrations.indexOf(rankRule);

/** Replaces `exec` of the connection. It cannot be assigned on Node.js 20. */
function replaceExec(db: SqliteDatabase, replacement: (sql: string, exec: (sql: string) => void) => void): void {
  const exec = db.connection.exec.bind(db.connection);
  Object.defineProperty(db.connection, 'exec', {
    value: (sql: string) => {
      replacement(sql, exec);
    },
  });
}

describe('a store of an earlier schema', () => {
  it('sorts in files beside it while it is migrated, and in memory afterwards', async () => {
    const dataDir = await makeDataDir();
    // SQLite takes the folder as text of SQL.
    const folder = join(dataDir, "it's here");
    await mkdir(folder);
    const db = new SqliteDatabase(join(folder, 'errgate.db'), { cacheKib: 2000 });
    const place = () => [
      db.number('PRAGMA temp_store'),
      Object.values(db.get('PRAGMA temp_store_directory') ?? {}).join(''),
    ];
    const [FILE, MEMORY] = [1, 2];
    const seen: unknown[] = [];
    replaceExec(db, (sql, exec) => {
      if (sql.includes('CREATE INDEX')) seen.push(place());
      exec(sql);
    });
    try {
      migrate(db, true);
      assert.ok(seen.length > 5);
      for (const during of seen) assert.deepEqual(during, [FILE, folder]);
      assert.deepEqual(place(), [MEMORY, '']);
    } finally {
      db.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  it('names the first failure of a migration, also where SQLite has undone it already', async () => {
    const dataDir = await makeDataDir();
    const db = new SqliteDatabase(join(dataDir, 'errgate.db'), { cacheKib: 2000 });
    replaceExec(db, (sql, exec) => {
      if (!sql.includes('CREATE INDEX')) {
        exec(sql);
        return;
      }
      exec('ROLLBACK');
      throw new Error('database or disk is full');
    });
    try {
      assert.throws(() => migrate(db, true), /database or disk is full/);
    } finally {
      db.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  it('keeps its access tokens, which were never used as far as it knows', async () => {
    const dataDir = await makeDataDir();
    const db = new sqlite.DatabaseSync(join(dataDir, 'errgate.db'));
    for (const script of migrations.slice(0, BEFORE_TOKEN_USE)) db.exec(script);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${BEFORE_TOKEN_USE}`);
    db.exec(
      `INSERT INTO users (id, username, name, admin, password_hash, created_at) VALUES (3, 'ada', 'Ada', 1, 'x', 1)`,
    );
    db.exec(`INSERT INTO access_tokens (id, user_id, name, hash, scopes, created_at, expires_at)
      VALUES (7, 3, 'ci', x'${'ab'.repeat(32)}', '["api"]', 5, NULL)`);
    db.close();
    await assert.rejects(openStore({ url: 'sqlite:', dataDir, migrate: false }), { code: 'store_outdated' });
    const progress: string[] = [];
    const { store } = await openWriterStore({ url: 'sqlite:', dataDir, onMigration: (step) => progress.push(step) });
    const steps = migrations.length - BEFORE_TOKEN_USE;
    assert.equal(progress.length, steps);
    assert.match(progress[1] ?? '', new RegExp(`from schema version ${BEFORE_TOKEN_USE} to \\d+: step 2 of ${steps}`));
    try {
      const token = { id: 7, userId: 3, name: 'ci', scopes: ['api'], createdAt: 5, expiresAt: null, revokedAt: null };
      const read = () => store.tokenByHash('ab'.repeat(32));
      assert.deepEqual(await read(), { ...token, description: null, lastUsedAt: null });
      await store.touchToken(7, 9000);
      assert.deepEqual(await read(), { ...token, description: null, lastUsedAt: 9000 });
    } finally {
      await store.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  it('keeps the link to a tracker, of which it does not know what it is', async () => {
    const dataDir = await makeDataDir();
    const db = new sqlite.DatabaseSync(join(dataDir, 'errgate.db'));
    for (const script of migrations.slice(0, BEFORE_TRACKER_KIND)) db.exec(script);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${BEFORE_TRACKER_KIND}`);
    db.exec(`INSERT INTO projects (id, path, name, visibility, monitor_enabled, created_at)
      VALUES (4, 'a/b', 'b', 'private', 1, 5)`);
    db.exec(
      `INSERT INTO settings (project_id, active, integrated, api_url) VALUES (4, 1, 0, 'https://t/api/0/projects/o/p/')`,
    );
    db.close();
    const store = await openStore({ url: 'sqlite:', dataDir });
    try {
      const settings = await store.settings(4);
      assert.deepEqual([settings?.apiUrl, settings?.tracker], ['https://t/api/0/projects/o/p/', null]);
    } finally {
      await store.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  it('keeps its aliases, which were numbers', async () => {
    const dataDir = await makeDataDir();
    const db = new sqlite.DatabaseSync(join(dataDir, 'errgate.db'));
    for (const script of migrations.slice(0, BEFORE_ALIAS_TEXTS)) db.exec(script);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${BEFORE_ALIAS_TEXTS}`);
    for (const id of [4, 5]) {
      db.exec(`INSERT INTO projects (id, path, name, visibility, monitor_enabled, created_at)
        VALUES (${id}, 'a/${id}', 'b', 'private', 1, 5)`);
    }
    db.exec(
      'INSERT INTO project_aliases (alias_id, project_id) VALUES (4711, 4), (4505281256090153, 4), (9007199254740991, 5)',
    );
    db.close();
    const store = await openStore({ url: 'sqlite:', dataDir });
    try {
      assert.deepEqual(await store.listAliases(4), ['4505281256090153', '4711']);
      assert.deepEqual(await store.listAliases(5), ['9007199254740991']);
      await store.addAlias(5, '4711');
      await store.deleteProject(4);
      assert.deepEqual((await store.ingestAccess(null))?.aliases, [
        [5, '4711'],
        [5, '9007199254740991'],
      ]);
    } finally {
      await store.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  it('has passed the steps of affected users that its errors have reached', async () => {
    const dataDir = await makeDataDir();
    const db = new sqlite.DatabaseSync(join(dataDir, 'errgate.db'));
    for (const script of migrations.slice(0, BEFORE_ALERTS)) db.exec(script);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${BEFORE_ALERTS}`);
    db.exec(`INSERT INTO projects (id, path, name, visibility, created_at) VALUES (4, 'a/b', 'b', 'private', 5)`);
    const users = [99, 100, 999, 1000, 54_321];
    const insert = db.prepare(`INSERT INTO errors (id, project_id, leaf, grouping_version, user_count, newest_received,
      first_seen, first_event, last_seen, last_event, level, platform, title, search_text)
      VALUES (?, 4, ?, 1, ?, 1, 1, x'00', 1, x'00', 'error', 'python', 't', 't')`);
    users.forEach((count, id) => insert.run(id + 1, Buffer.from([id]), count));
    // A merged error has the users of all members.
    db.exec(`INSERT INTO error_groups (id, project_id, status, count, user_count, member_users, members, first_seen,
      last_seen, level, platform, title, search_text)
      VALUES (1, 4, 0, 1, 150, 150, '[1,2]', 1, 1, 'error', 'python', 't', 't')`);
    db.exec('UPDATE errors SET merged_into = 1 WHERE id IN (1, 2)');
    db.close();
    const store = await openStore({ url: 'sqlite:', dataDir });
    await store.close();
    const after = new sqlite.DatabaseSync(join(dataDir, 'errgate.db'));
    try {
      const steps = after.prepare('SELECT users_step FROM errors ORDER BY id').all();
      assert.deepEqual(steps.map(({ users_step: step }) => step), [100, 100, 100, 1000, 10_000]); // prettier-ignore
    } finally {
      after.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  it('ranks all errors again, also merged ones, by the rule of what matters', async () => {
    const dataDir = await makeDataDir();
    const change = (work: (db: InstanceType<typeof sqlite.DatabaseSync>) => unknown) => {
      const db = new sqlite.DatabaseSync(join(dataDir, 'errgate.db'));
      const result = work(db);
      db.close();
      return result;
    };
    const before = await openStore({ url: 'sqlite:', dataDir });
    const project = await makeProject(before);
    await new TestJournal(before).apply(['a', 'b', 'c'].map((group) => makeEvent(project, group, { group })));
    const [a, b] = await Promise.all(['a', 'b'].map(async (group) => (await errorOf(before, project, group)).id));
    await before.mergeErrors(project.id, [a ?? '', b ?? '']);
    await rankAll(before, NOON);
    await before.close();
    const ranks = (db: InstanceType<typeof sqlite.DatabaseSync>) =>
      db
        .prepare(
          'SELECT id, matters FROM errors WHERE merged_into IS NULL UNION ALL SELECT id, matters FROM error_groups',
        )
        .all();
    const right = change(ranks);
    change((db) => {
      db.exec(`UPDATE errors SET matters = 1; UPDATE error_groups SET matters = 1;
        DROP INDEX linked_issues_by_url; PRAGMA user_version = ${BEFORE_RANK_RULE}`);
    });
    const store = await openStore({ url: 'sqlite:', dataDir });
    await rankAll(store, NOON);
    await store.close();
    assert.deepEqual(change(ranks), right);
    await rm(dataDir, { recursive: true, force: true });
  });
});
