import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { DrillGateway } from '../../support/drill-gateway.ts';
import { describeOnMongo, TestDatabases } from '../../support/mongo-engine.ts';
import { eventually } from '../../support/service-process.ts';

/** How soon a change must count on every gateway. */
const SEEN_MS = 2000;

interface ErrorBody {
  readonly id: string;
  readonly status: string;
  readonly count: number;
}

describeOnMongo('two gateways on one database', function (uri) {
  this.timeout(60_000);
  const databases = new TestDatabases(uri);
  let one: DrillGateway;
  let two: DrillGateway;
  let base: string;

  before(async () => {
    const env = { ERRGATE_STORE_URL: databases.create(), ERRGATE_SECRET_KEY: randomBytes(32).toString('hex') };
    one = await DrillGateway.start(env);
    two = await DrillGateway.start(env, one);
    base = `/api/v4/projects/${one.service.first.project_id}/error_tracking`;
  });
  after(async () => {
    await Promise.all([one.remove(), two.remove()]);
    await databases.dropAll();
  });

  async function ask(gateway: DrillGateway, method: string, path: string, body?: object): Promise<Response> {
    const { url, first } = gateway.service;
    return fetch(url + path, {
      method,
      headers: { 'PRIVATE-TOKEN': first.token, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async function send(gateway: DrillGateway, message: string, key?: string): Promise<number> {
    const { url, first } = gateway.service;
    const public_key = key ?? new URL(first.dsn).username;
    const address = `${url}/api/${first.project_id}/store/?sentry_key=${public_key}`;
    const answer = await fetch(address, { method: 'POST', body: JSON.stringify({ message, user: { id: message } }) });
    await answer.arrayBuffer();
    return answer.status;
  }

  const errorsOf = async (gateway: DrillGateway, search: string): Promise<ErrorBody[]> =>
    (await gateway.service.get(`${base}/errors?status=all&search=${search}`)) as ErrorBody[];

  it('an error resolved on one is opened again by an event through the other', async () => {
    assert.equal(await send(one, 'regress'), 200);
    const [error] = await eventually(
      () => errorsOf(two, 'regress'),
      (rows) => rows.length === 1,
    );
    assert.ok(error);
    const resolved = await ask(one, 'PUT', `${base}/errors/${error.id}`, { status: 'resolved' });
    assert.equal(resolved.status, 200);
    assert.equal((await errorsOf(two, 'regress'))[0]?.status, 'resolved');
    assert.equal(await send(two, 'regress'), 200);
    const [again] = await eventually(
      () => errorsOf(one, 'regress'),
      (rows) => rows[0]?.count === 2 && rows[0].status === 'unresolved',
    );
    assert.equal(again?.id, error.id);
  });

  it('an ignored error stays ignored, and counts, whichever gateway takes its events', async () => {
    assert.equal(await send(one, 'ignorable'), 200);
    const [error] = await eventually(
      () => errorsOf(one, 'ignorable'),
      (rows) => rows.length === 1,
    );
    assert.ok(error);
    assert.equal((await ask(two, 'PUT', `${base}/errors/${error.id}`, { status: 'ignored' })).status, 200);
    assert.equal(await send(two, 'ignorable'), 200);
    const [counted] = await eventually(
      () => errorsOf(one, 'ignorable'),
      (rows) => rows[0]?.count === 2,
    );
    assert.equal(counted?.status, 'ignored');
  });

  it('a key made on one is taken by the other, and refused there when it is gone, within 2 s', async () => {
    const created = await ask(one, 'POST', `${base}/client_keys`);
    const { id, public_key: key } = (await created.json()) as { id: number; public_key: string };
    await eventually(
      () => send(two, 'keyed', key),
      (status) => status === 200,
      SEEN_MS,
    );
    assert.ok((await ask(one, 'DELETE', `${base}/client_keys/${id}`)).ok);
    await eventually(
      () => send(two, 'keyed', key),
      (status) => status === 403,
      SEEN_MS,
    );
  });

  it('settings and tokens changed on one count on the other within 2 s', async () => {
    assert.equal((await ask(one, 'PATCH', `${base}/settings`, { active: false })).status, 200);
    await eventually(
      async () => (await ask(two, 'GET', `${base}/errors`)).status,
      (status) => status === 400,
      SEEN_MS,
    );
    await eventually(
      () => send(two, 'switched off'),
      (status) => status === 403,
      SEEN_MS,
    );
    assert.equal((await ask(two, 'PATCH', `${base}/settings`, { active: true })).status, 200);
    await eventually(
      () => send(one, 'switched on'),
      (status) => status === 200,
      SEEN_MS,
    );
  });
});
