import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { mongo } from 'mongoose';
import { ANSWERS, WRITE_CONCERN_ERROR } from '../../support/fault-proxy-faults.ts';
import { FaultProxy } from '../../support/fault-proxy.ts';
import { closedGate } from '../../support/gate.ts';
import { describeOnMongo, TestDatabases, withClient, withDatabase } from '../../support/mongo-engine.ts';
import { eventually } from '../../support/service-process.ts';

const TLS = new URL('../../fixtures/tls/', import.meta.url);
const file = (name: string): string => new URL(name, TLS).pathname;

interface Row {
  _id: number;
  v?: string;
}

describeOnMongo('the fault proxy, seen by the real driver', function (engineUri) {
  this.timeout(120_000);
  const databases = new TestDatabases(engineUri);
  let proxy: FaultProxy;
  let client: mongo.MongoClient;
  let rows: mongo.Collection<Row>;
  let direct: mongo.Collection<Row>;
  let directClient: mongo.MongoClient;

  const connectedBy = (uri: string): mongo.MongoClient =>
    new mongo.MongoClient(uri, {
      // A busy machine needs a while for a handshake; what never comes is waited for as long.
      serverSelectionTimeoutMS: 3000,
      connectTimeoutMS: 3000,
      retryReads: false,
      // A replica set takes repeats of the driver's; here each fault is to be seen.
      retryWrites: false,
    });

  before(async () => {
    directClient = await new mongo.MongoClient(engineUri).connect();
  });
  beforeEach(async () => {
    proxy = await FaultProxy.start({ engine: engineUri });
    const database = databases.name();
    client = connectedBy(proxy.uri(database));
    rows = client.db(database).collection<Row>('rows');
    direct = directClient.db(database).collection<Row>('rows');
    await rows.insertOne({ _id: 0 });
    proxy.seen.length = 0;
  });
  afterEach(async () => {
    await client.close();
    await proxy.close();
  });
  after(async () => {
    await directClient.close();
    await databases.dropAll();
  });

  const stored = async (): Promise<number[]> => (await direct.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id);

  it('passes everything on, and records the commands', async () => {
    const many = Array.from({ length: 2000 }, (_, at) => ({ _id: at + 1, v: 'x'.repeat(1000) }));
    await rows.bulkWrite(
      many.map((document) => ({ insertOne: { document } })),
      { ordered: false },
    );
    assert.equal((await rows.find().toArray()).length, 2001);
    assert.deepEqual([...new Set(proxy.seen)], ['insert', 'find', 'getMore']);
  });

  it('cuts a connection before the engine sees the command', async () => {
    const fault = proxy.inject({ command: 'insert', fault: { kind: 'cut' } });
    await assert.rejects(rows.insertOne({ _id: 1 }), mongo.MongoNetworkError);
    assert.equal(fault.hits, 1);
    assert.deepEqual(await stored(), [0]);
    await rows.insertOne({ _id: 2 });
    assert.deepEqual(await stored(), [0, 2]);
  });

  it('drops the answer of a write that was carried out', async () => {
    proxy.inject({ command: 'insert', fault: { kind: 'drop_answer' } });
    await assert.rejects(rows.insertOne({ _id: 1 }), mongo.MongoNetworkError);
    assert.deepEqual(await stored(), [0, 1]);
  });

  it('lets a write arrive long after its sender gave up', async () => {
    const gate = closedGate();
    proxy.inject({ command: 'insert', fault: { kind: 'late', release: gate.passed } });
    await assert.rejects(rows.insertOne({ _id: 1 }), mongo.MongoNetworkError);
    await rows.insertOne({ _id: 2 });
    assert.deepEqual(await stored(), [0, 2]);
    gate.open();
    await eventually(stored, (ids) => ids.length === 3);
  });

  it('cuts an answer in the middle', async () => {
    proxy.inject({ command: 'find', fault: { kind: 'truncate', bytes: 30 } });
    await assert.rejects(rows.find().toArray(), mongo.MongoNetworkError);
    assert.equal((await rows.find().toArray()).length, 1);
  });

  it('answers in place of the engine, by collection, after some and so often', async () => {
    const fault = proxy.inject({
      command: ['update', 'insert'],
      collection: 'rows',
      skip: 1,
      times: 2,
      fault: { kind: 'answer', body: ANSWERS.notPrimary },
    });
    const other = client.db(rows.dbName).collection<Row>('other');
    await rows.insertOne({ _id: 1 });
    await other.insertOne({ _id: 1 });
    const refused = (error: unknown): boolean => error instanceof mongo.MongoServerError && error.code === 10_107;
    await assert.rejects(rows.insertOne({ _id: 2 }), refused);
    await assert.rejects(rows.updateOne({ _id: 0 }, { $set: { v: 'a' } }), refused);
    await rows.insertOne({ _id: 3 });
    assert.deepEqual(await stored(), [0, 1, 3]);
    assert.equal(fault.hits, 2);
  });

  it('adds a write-concern error to an answer', async () => {
    proxy.inject({ command: 'insert', fault: { kind: 'amend', members: WRITE_CONCERN_ERROR } });
    await assert.rejects(rows.insertOne({ _id: 1 }), mongo.MongoWriteConcernError);
    assert.deepEqual(await stored(), [0, 1]);
  });

  it('leaves a command without an answer', async () => {
    proxy.inject({ command: 'find', fault: { kind: 'silence' } });
    const hasty = new mongo.MongoClient(proxy.uri(rows.dbName), { socketTimeoutMS: 300, retryReads: false });
    await assert.rejects(hasty.db().collection('rows').find().toArray(), mongo.MongoNetworkTimeoutError);
    await hasty.close();
  });

  it('delays', async () => {
    proxy.inject({ command: 'find', fault: { kind: 'delay', ms: 200 } });
    const start = performance.now();
    await rows.find().toArray();
    assert.ok(performance.now() - start >= 199);
  });

  it('is away and back on the same port, which nobody can take meanwhile', async () => {
    const { port } = proxy;
    proxy.refuse();
    await assert.rejects(rows.insertOne({ _id: 1 }), /ECONNRESET|closed|interrupted|timed out/i);
    const other = net.createServer().listen(port, '127.0.0.1');
    await assert.rejects(once(other, 'listening'), { code: 'EADDRINUSE' });
    proxy.restore();
    assert.equal(proxy.port, port);
    await eventually(
      () =>
        rows.insertOne({ _id: 2 }).then(
          () => true,
          () => false,
        ),
      (done) => done,
    );
    assert.deepEqual(await stored(), [0, 2]);
  });

  it('accepts connections and never answers', async () => {
    proxy.blackhole();
    const other = connectedBy(proxy.uri('x'));
    await assert.rejects(other.connect(), mongo.MongoServerSelectionError);
    await other.close();
    proxy.restore();
    await withClient(proxy.uri('x'), (good) => good.db().command({ ping: 1 }));
  });

  it('stands before the primary of a replica set, whichever member is named first', async () => {
    const me = `127.0.0.1:${proxy.port}`;
    const members = { setName: 'rs', setVersion: 1, hosts: ['127.0.0.1:1', me], me, primary: me };
    proxy.inject({ command: ['hello', 'ismaster'], times: Infinity, fault: { kind: 'amend', members } });
    const set = `mongodb://127.0.0.1:1,${me}/?replicaSet=rs`;
    const other = await FaultProxy.start({ engine: withDatabase(set, 'x') });
    try {
      await withClient(other.uri('x'), (good) => good.db().command({ ping: 1 }));
      assert.ok(other.seen.includes('ping') && proxy.seen.includes('ping'));
    } finally {
      await other.close();
    }
  });

  it('refuses credentials for an engine that asks for none', async () => {
    proxy.inject({ command: 'saslStart', times: 10, fault: { kind: 'answer', body: ANSWERS.authenticationFailed } });
    const other = connectedBy(proxy.uri('x', 'authSource=admin', 'somebody:wrong'));
    await assert.rejects(other.connect(), /Authentication failed/);
    await other.close();
  });

  it('speaks TLS with a certificate of its own', async () => {
    const secured = await FaultProxy.start({
      engine: engineUri,
      tls: { key: readFileSync(file('server-key.pem')), cert: readFileSync(file('server.pem')) },
    });
    try {
      await withClient(secured.uri('x', `tls=true&tlsCAFile=${file('ca.pem')}`), (good) =>
        good.db().command({ ping: 1 }),
      );
      assert.ok(secured.seen.includes('ping'));
      const bad = connectedBy(secured.uri('x', `tls=true&tlsCAFile=${file('other-ca.pem')}`));
      await assert.rejects(bad.connect(), /certificate/);
      await bad.close();
    } finally {
      await secured.close();
    }
  });
});
