import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import type { mongo } from 'mongoose';
import { AppError } from '../../src/domain/app-error.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { SCHEMA_VERSION } from '../../src/storage/mongo/schema/migrations.ts';
import { openStore, type OpenStoreOptions } from '../../src/storage/open/open-store.ts';
import { pendingMigration } from '../../src/storage/open/pending-migration.ts';
import { importIssue, makeIssue, makeSource } from '../support/import-data.ts';
import { describeOnMongo, TestDatabases, withClient, withCredentials, withDatabase } from '../support/mongo-engine.ts';
import { errorOf, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';
import { makeDataDir } from '../support/store-harness.ts';

const SECRET = 'pa55-secret';
const IMPORT_COLLECTIONS =
  'importsources importstates importederrors groupaliases knownthere importedevents errornotes'.split(' ');

describeOnMongo('opening a MongoDB store', function (uri) {
  this.timeout(180_000);
  const databases = new TestDatabases(uri);
  const opened: Store[] = [];
  let url = '';
  const open = async (migrate?: OpenStoreOptions['migrate']) => {
    const store = await openStore({ url, dataDir: '/nowhere', ...(migrate === undefined ? {} : { migrate }) });
    opened.push(store);
    return store;
  };
  const change = (work: (db: mongo.Db) => Promise<unknown>) => withClient(url, (client) => work(client.db()));
  beforeEach(() => {
    url = databases.create();
  });
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });
  after(() => databases.dropAll());

  it('sets an empty database up once, when several open it at the same time', async () => {
    const stores = await Promise.all(Array.from({ length: 4 }, () => open()));
    const [first] = stores;
    assert.ok(first !== undefined);
    const project = await makeProject(first);
    for (const store of stores) assert.deepEqual(await store.projectById(project.id), project);
    assert.equal((await first.stats()).schemaVersion, SCHEMA_VERSION);
    await change(async (db) => {
      assert.equal(await db.collection('errgate').countDocuments({ _id: 'lease:migration' as never }), 0);
    });
  });

  it('continues a set-up that was interrupted', async () => {
    await change(async (db) => {
      const errgate = db.collection<{ _id: string; owner: string; until: number }>('errgate');
      await errgate.insertOne({ _id: 'lease:migration', owner: 'crashed', until: Date.now() + 300 });
      await db.collection('users').createIndexes([{ key: { lower: 1 }, name: 'by_name', unique: true }]);
    });
    const store = await open();
    assert.deepEqual(await store.listUsers(), []);
  });

  it('leaves an empty database unchanged without permission to change it', async () => {
    await assert.rejects(open(false), { code: 'store_outdated', message: /errgate migrate/ });
    assert.deepEqual(await pendingMigration({ url, dataDir: '/nowhere' }), ['set the empty database up']);
    await change(async (db) => assert.deepEqual(await db.listCollections().toArray(), []));
  });

  it("refuses another program's database without touching it", async () => {
    await change((db) => db.collection('theirs').insertOne({ a: 1 }));
    for (const migrate of [undefined, true, false]) {
      await assert.rejects(open(migrate), { code: 'invalid_configuration', message: /another program/ });
    }
    await change(async (db) => {
      assert.deepEqual(
        (await db.listCollections().toArray()).map(({ name }) => name),
        ['theirs'],
      );
    });
  });

  it('refuses the database of a later program, naming both versions, and leaves it as it is', async () => {
    await (await open()).close();
    const later = SCHEMA_VERSION + 3;
    const set = (version: number) =>
      change((db) => db.collection('errgate').updateOne({ _id: 'schema' as never }, { $set: { version } }));
    await set(later);
    for (const migrate of [undefined, true, false]) {
      await assert.rejects(open(migrate), {
        code: 'store_too_new',
        message: new RegExp(`${later}.*${SCHEMA_VERSION}`),
      });
    }
    await set(SCHEMA_VERSION);
    await open(false);
  });

  it('stops at an older schema and names the command, which brings it up to date', async () => {
    await (await open()).close();
    await change((db) => db.collection('errgate').updateOne({ _id: 'schema' as never }, { $set: { version: 0 } }));
    for (const migrate of [undefined, false, 'missing'] as const) {
      await assert.rejects(open(migrate), { code: 'store_outdated', message: /errgate migrate/ });
    }
    assert.deepEqual(await pendingMigration({ url, dataDir: '/nowhere' }), [
      `migrate from schema version 0 to ${SCHEMA_VERSION}`,
    ]);
    await (await open(true)).close();
    await (await open(true)).close();
    assert.deepEqual(await pendingMigration({ url, dataDir: '/nowhere' }), []);
    await open();
  });

  it('keeps aliases of an earlier schema, which were numbers', async () => {
    const before = await open();
    const project = await before.createProject({ path: 'a/one', name: 'one', visibility: 'private' });
    await before.close();
    await change(async (db) => {
      await db.collection('aliases').insertMany([
        { _id: 4711, projectId: project.id },
        { _id: 4505281256090153, projectId: project.id },
      ] as never[]);
      await db.collection('errgate').updateOne({ _id: 'schema' as never }, { $set: { version: 3 } });
    });
    const store = await open(true);
    assert.deepEqual(await store.listAliases(project.id), ['4505281256090153', '4711']);
    assert.deepEqual((await store.ingestAccess(null))?.aliases, [
      [project.id, '4505281256090153'],
      [project.id, '4711'],
    ]);
    // Gateways of the earlier version may still run.
    await change(async (db) => assert.equal(await db.collection('aliases').countDocuments(), 2));
    await store.deleteProject(project.id);
    await change(async (db) => assert.equal(await db.collection('aliases').countDocuments(), 0));
    assert.deepEqual(await store.listAliases(project.id), []);
  });

  it('takes imports into a store of a schema before them', async () => {
    const dataDir = await makeDataDir();
    const openIn = async (options: Pick<OpenStoreOptions, 'migrate'>) => {
      const store = await openStore({ url, dataDir, ...options });
      opened.push(store);
      return store;
    };
    const before = await openIn({});
    const project = await makeProject(before);
    await new TestJournal(before).apply([makeEvent(project, '1', { group: 'a' })]);
    const own = await errorOf(before, project, 'a');
    await before.close();
    await change(async (db) => {
      for (const name of IMPORT_COLLECTIONS) await db.dropCollection(name);
      await db.collection('errgate').updateOne({ _id: 'schema' as never }, { $set: { version: 4 } });
    });
    await assert.rejects(openIn({}), { code: 'store_outdated', message: /errgate migrate/ });
    const store = await openIn({ migrate: true });
    const errorId = await importIssue(store, project, makeIssue(await makeSource(store, project), '1'), 10, ['a']);
    await store.mergeErrors(project.id, [own.id, errorId]);
    await new TestJournal(store).apply([makeEvent(project, '2', { group: 'a' })]);
    await store.rollUpMerged();
    const merged = await store.errorById(project.id, own.id, NOON);
    assert.deepEqual([merged?.count, merged?.imported?.baseCount], [12, 10]);
    await store.saveImportState(`${project.id}/run`, '{}');
    assert.deepEqual(await pendingMigration({ url, dataDir }), []);
    await rm(dataDir, { recursive: true, force: true });
  });

  it('stops when an index is missing, names it, and creates it on command', async () => {
    await (await open()).close();
    await change((db) => db.collection('errors').dropIndex('by_number'));
    await change((db) => db.collection('aliases').drop());
    await assert.rejects(open(), {
      code: 'store_outdated',
      message: /the indexes aliases\.of_project, errors\.by_number.*errgate migrate/,
    });
    assert.deepEqual(await pendingMigration({ url, dataDir: '/nowhere' }), [
      'make the index aliases.of_project',
      'make the index errors.by_number',
    ]);
    await (await open(true)).close();
    await open();
  });

  it('stops when an index differs under the same name, and replaces it on command', async () => {
    await (await open()).close();
    const changes: [collection: string, name: string, key: Record<string, 1 | -1>, options: object][] = [
      ['errors', 'by_count', { p: 1, st: 1, id: -1, c: -1 }, {}],
      ['users', 'by_name', { lower: 1 }, {}],
      ['slots', 'by_journal', { j: 1 }, { unique: true }],
    ];
    for (const [collection, name, key, options] of changes) {
      await change((db) => db.collection(collection).dropIndex(name));
      await change((db) => db.collection(collection).createIndexes([{ key, name, ...options }]));
    }
    await assert.rejects(open(), {
      code: 'store_outdated',
      message:
        /other keys or options .* the indexes users\.by_name, errors\.by_count, slots\.by_journal.*errgate migrate/,
    });
    const steps = await pendingMigration({ url, dataDir: '/nowhere' });
    assert.equal(steps.filter((step) => /^recreate /.test(step)).length, changes.length);
    await (await open(true)).close();
    await open();
    await change(async (db) => {
      const [index] = (await db.collection('users').indexes()).filter(({ name }) => name === 'by_name');
      assert.equal(index?.unique, true);
    });
  });

  it('accepts an index that exists under another name', async () => {
    await (await open()).close();
    await change((db) => db.collection('errors').dropIndex('by_number'));
    await change((db) => db.collection('errors').createIndexes([{ key: { p: 1, id: 1 }, name: 'p_1_id_1' }]));
    await open();
    assert.deepEqual(await pendingMigration({ url, dataDir: '/nowhere' }), []);
  });

  it('migrates only while no gateway is running, and names those that are', async () => {
    const running = await open();
    await change((db) => db.collection('errors').dropIndex('by_number'));
    const id = 'abcdef0123456789'.repeat(2);
    await running.announceGateway(id, '0.0.9');
    await assert.rejects(open(true), {
      code: 'conflict',
      message: /gateways are using this store: abcdef01 \(version 0\.0\.9, heard of \d+ s ago\)\. Stop all/,
    });
    await running.retireGateway(id);
    await (await open(true)).close();
    // Nothing to do disturbs nobody.
    await running.announceGateway(id, '0.0.9');
    await (await open(true)).close();
  });

  it('recognises gateways of older programs by their journals, until they have stopped or were silent for a minute', async () => {
    const dataDir = await makeDataDir();
    const running = await openStore({ url, dataDir });
    const project = await makeProject(running);
    const journal = new TestJournal(running, 'older');
    await journal.apply([makeEvent(project, 'a')]);
    await change((db) => db.collection('errors').dropIndex('by_number'));
    await assert.rejects(open(true), {
      code: 'conflict',
      message: /the one with the journal [0-9a-f]{8} \(heard of \d+ s ago\)/,
    });
    await running.close();
    await (await open(true)).close();

    await change((db) => db.collection('errors').dropIndex('by_number'));
    const lastSeen = (ago: number) =>
      change((db) => db.collection('slots').updateMany({}, { $set: { seen: Date.now() - ago }, $unset: { off: '' } }));
    await lastSeen(0);
    await assert.rejects(open(true), { code: 'conflict' }, 'one that was killed may still be at work');
    await lastSeen(61_000);
    await (await open(true)).close();
    await rm(dataDir, { recursive: true });
  });

  it('gives up on an absent server within seconds, and names it', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    url = `mongodb://ada:${SECRET}@127.0.0.1:${port}/x?serverSelectionTimeoutMS=300`;
    const error = await failure(open());
    assert.equal(error.code, 'store_unavailable');
    assert.match(error.message, new RegExp(`127\\.0\\.0\\.1:${port} cannot be reached`));
    assert.ok(error.retryAfterSeconds !== undefined);
    showsNoSecret(error);
  });

  it('says what is wrong with the credentials', async () => {
    url = withCredentials(url, 'ada', SECRET);
    const error = await failure(open());
    assert.equal(error.code, 'invalid_configuration');
    assert.match(error.message, /does not accept the credentials/);
    showsNoSecret(error);
  });

  it('says that a database name is not allowed', async () => {
    url = withDatabase(url, 'x'.repeat(80));
    const error = await failure(open());
    assert.equal(error.code, 'invalid_configuration');
    assert.match(error.message, /store\.url names a database that MongoDB does not allow/);
  });

  it('says what is wrong with an address, and never shows it', async () => {
    const bad = [
      `mongodb://`,
      `mongodb://ada:${SECRET}@`,
      `mongodb://ada:${SECRET}@h@i/x`,
      `mongodb://ada:${SECRET}%zz@h/x`,
      `mongodb://ada:${SECRET}@h/x?${SECRET}=1`,
      `mongodb://ada:${SECRET}@h/x?maxPoolSize=${SECRET}`,
      `mongodb://ada:${SECRET}@h:99999/x`,
      `mongodb://ada:${SECRET}@h/x?tls=true&tlsCAFile=/no/such/${SECRET}.pem`,
    ];
    for (url of bad) {
      const error = await failure(open());
      assert.equal(error.code, 'invalid_configuration', url);
      showsNoSecret(error);
    }
  });
});

async function failure(opening: Promise<unknown>): Promise<AppError> {
  const error: unknown = await opening.then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof AppError, inspect(error));
  return error;
}

/** Neither in the message nor anywhere below, which a logger would print. */
function showsNoSecret(error: AppError): void {
  assert.ok(!inspect(error, { depth: 10, showHidden: true }).includes(SECRET), inspect(error, { depth: 10 }));
}
