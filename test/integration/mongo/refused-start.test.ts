import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONTROL_COLLECTION } from '../../../src/storage/mongo/documents/command-documents.ts';
import { openStore } from '../../../src/storage/open/open-store.ts';
import { callErrgate } from '../../support/cli-call.ts';
import { runErrgate } from '../../support/cli-process.ts';
import { ANSWERS } from '../../support/fault-proxy-faults.ts';
import { FaultProxy } from '../../support/fault-proxy.ts';
import { describeOnMongo, TestDatabases, withClient, withDatabase } from '../../support/mongo-engine.ts';
import { callServe, startServiceHere } from '../../support/service-here.ts';
import type { StartedService } from '../../support/service-process.ts';

const TLS = new URL('../../fixtures/tls/', import.meta.url);
const file = (name: string): string => new URL(name, TLS).pathname;

const USER = 'gatekeeper';
const PASSWORD = 's3cret-Pa55';
const CREDENTIALS = `${USER}:${PASSWORD}`;
/** Commands that need the right to write. */
const WRITES = ['create', 'createIndexes', 'insert', 'update', 'findAndModify', 'delete'];
const NOT_ALLOWED = /does not allow what errgate needs: give its user the role readWrite/;
/** A start that neither ends nor gets ready in this time (milliseconds) is no clear refusal. */
const REFUSAL_LIMIT_MS = 60_000;

describeOnMongo('the start on MongoDB', function (engineUri) {
  this.timeout(300_000);
  const databases = new TestDatabases(engineUri);
  let proxy: FaultProxy;
  let dataDir: string;
  let database: string;
  let url: string;
  let running: StartedService | null;

  beforeEach(async () => {
    proxy = await FaultProxy.start({ engine: engineUri });
    dataDir = mkdtempSync(join(tmpdir(), 'errgate-start-'));
    database = databases.name();
    url = withDatabase(engineUri, database);
    running = null;
  });
  afterEach(async () => {
    await running?.end('SIGTERM');
    await proxy.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  after(() => databases.dropAll());

  const environment = (storeUrl: string): NodeJS.ProcessEnv => ({
    ERRGATE_DATA_DIR: dataDir,
    ERRGATE_PORT: '0',
    ERRGATE_STORE_URL: storeUrl,
    ERRGATE_SECRET_KEY: 'ab'.repeat(32),
  });

  const start = async (storeUrl: string): Promise<StartedService> =>
    (running = await startServiceHere(dataDir, environment(storeUrl)));

  const throughProxy = (query = '', credentials = ''): string => proxy.uri(database, query, credentials);

  /** `serve` must end by itself with one clear message that matches, and never show who or what logs in. */
  async function assertRefused(storeUrl: string, message: RegExp): Promise<void> {
    const call = await callServe(environment(storeUrl));
    const late = setTimeout(() => void call.end(), REFUSAL_LIMIT_MS);
    const code = await call.ended;
    clearTimeout(late);
    assertRefusal(code, call.stdout + call.stderr, message);
  }

  function assertRefusal(code: number | null, output: string, message: RegExp): void {
    assert.equal(code, 1, `serve should have ended with 1:\n${output}`);
    assert.match(output, message);
    assert.doesNotMatch(output, /\n\s+at |is ready/);
    assert.doesNotMatch(output, new RegExp(`${USER}|s3cret`));
  }

  /** An empty store of this program. */
  async function setUp(): Promise<void> {
    const store = await openStore({ url, dataDir });
    await store.close();
  }

  const inDatabase = <T>(work: Parameters<typeof withClient<T>>[1]): Promise<T> => withClient(url, work);

  describe('refuses an address', () => {
    const port = '127.0.0.1:1';
    for (const [what, address] of [
      ['without a host', `mongodb://${CREDENTIALS}@/errgate`],
      ['with a port that is none', `mongodb://${CREDENTIALS}@127.0.0.1:port/errgate`],
      ['with a password that needs encoding', `mongodb://${USER}:s3cret/Pa@55@${port}/errgate`],
      ['with an option that MongoDB does not know', `mongodb://${CREDENTIALS}@${port}/errgate?nonsense=1`],
      ['with an option that cannot be', `mongodb://${CREDENTIALS}@${port}/errgate?maxPoolSize=-3`],
      ['of another scheme', `mongo://${CREDENTIALS}@${port}/errgate`],
      ['of a service record with a port', `mongodb+srv://${CREDENTIALS}@db.example.test:27017/errgate`],
    ] as const) {
      it(what, () => assertRefused(address, /store\.url/));
    }
  });

  it('refuses wrong credentials', async () => {
    proxy.inject({ command: 'saslStart', times: 100, fault: { kind: 'answer', body: ANSWERS.authenticationFailed } });
    await assertRefused(
      throughProxy('', CREDENTIALS),
      /does not accept the credentials: check user, password and authSource/,
    );
  });

  it('ends the process where the start is refused', async () => {
    const { code, stdout, stderr } = await runErrgate(['serve'], environment('mongo://127.0.0.1:1/errgate'));
    assertRefusal(code, stdout + stderr, /store\.url/);
  });

  it('refuses a user who may not read', async () => {
    proxy.inject({ command: 'find', times: 1000, fault: { kind: 'answer', body: ANSWERS.unauthorized } });
    await assertRefused(throughProxy(), NOT_ALLOWED);
  });

  it('refuses a user who may only read an empty database', async () => {
    proxy.inject({ command: WRITES, times: 1000, fault: { kind: 'answer', body: ANSWERS.unauthorized } });
    await assertRefused(throughProxy(), NOT_ALLOWED);
  });

  it('refuses a user who may only read a database that another gateway set up', async () => {
    await setUp();
    proxy.inject({ command: WRITES, times: 1000, fault: { kind: 'answer', body: ANSWERS.unauthorized } });
    await assertRefused(throughProxy(), NOT_ALLOWED);
  });

  it('refuses a store that lacks an index, until errgate migrate has made it', async () => {
    await setUp();
    const [index] = await inDatabase(async (client) => {
      const errors = client.db().collection('errors');
      const names = (await errors.indexes()).map(({ name }) => name ?? '').filter((name) => name !== '_id_');
      await errors.dropIndex(names[0] ?? '');
      return names;
    });
    assert.ok(index !== undefined);
    await assertRefused(url, new RegExp(`lacks the index errors\\.${index}: run \`errgate migrate\``));
    const { code, stdout, stderr } = await callErrgate(['migrate'], environment(url));
    assert.equal(code, 0, stderr);
    assert.match(stdout + stderr, new RegExp(index));
    const again = await callErrgate(['migrate'], environment(url));
    assert.equal(again.code, 0, again.stderr);
    await start(url);
  });

  it('refuses an older schema and names errgate migrate, which may be repeated', async () => {
    await setUp();
    await setVersion(0);
    await assertRefused(url, /schema version 0, this program needs \d+: run `errgate migrate`/);
    for (let round = 0; round < 2; round += 1) {
      const { code, stderr } = await callErrgate(['migrate'], environment(url));
      assert.equal(code, 0, stderr);
    }
    await start(url);
  });

  it('refuses a newer schema', async () => {
    await setUp();
    await setVersion(999);
    await assertRefused(url, /schema version 999, this program knows \d+: a newer errgate wrote it/);
    const { code, stderr } = await callErrgate(['migrate'], environment(url));
    assert.equal(code, 1);
    assert.match(stderr, /schema version 999/);
  });

  async function setVersion(version: number): Promise<void> {
    const { modifiedCount } = await inDatabase((client) =>
      client.db().collection<{ _id: string }>(CONTROL_COLLECTION).updateOne({ _id: 'schema' }, { $set: { version } }),
    );
    assert.equal(modifiedCount, 1);
  }

  it('refuses a database that holds another program’s data', async () => {
    await inDatabase((client) => client.db().collection('things').insertOne({ a: 1 }));
    await assertRefused(url, /holds another program's data/);
  });

  describe('over TLS', () => {
    let secured: FaultProxy;
    before(async () => {
      const pair = { key: readFileSync(file('server-key.pem')), cert: readFileSync(file('server.pem')) };
      secured = await FaultProxy.start({ engine: engineUri, tls: pair });
    });
    after(() => secured.close());
    const address = (query: string): string => secured.uri(database, query, '');

    it('works with the authority that signed the server’s certificate', async () => {
      const service = await start(address(`tls=true&tlsCAFile=${file('ca.pem')}`));
      assert.deepEqual(await service.get('/-/readiness?for=reads').catch(String), { accepting: true, reading: true });
      assert.ok(secured.seen.length > 0);
    });

    it('refuses a certificate that another authority signed', () =>
      assertRefused(
        address(`tls=true&tlsCAFile=${file('other-ca.pem')}`),
        /shows a certificate that is not trusted \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\): check tlsCAFile/,
      ));

    it('refuses a file of authorities that is not there', () =>
      assertRefused(address('tls=true&tlsCAFile=/nowhere/ca.pem'), /TLS file that cannot be read/));
  });
});
