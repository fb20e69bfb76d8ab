import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { runErrgate } from '../../support/cli-process.ts';
import { DrillGateway } from '../../support/drill-gateway.ts';
import { describeOnMongo, TestDatabases } from '../../support/mongo-engine.ts';
import { eventually, seenAfter } from '../../support/service-process.ts';

/** How soon a change must count on every gateway. */
const SEEN_MS = 2000;

interface ErrorBody {
  readonly id: string;
  readonly status: string;
  readonly count: number;
}

describeOnMongo('two gateways on one database', function (uri) {
  this.timeout(300_000);
  const databases = new TestDatabases(uri);
  let one: DrillGateway;
  let two: DrillGateway;
  let base: string;

  before(async () => {
    const env = { ERRGATE_STORE_URL: databases.create(), ERRGATE_SECRET_KEY: randomBytes(32).toString('hex') };
    one = await DrillGateway.start(env, { here: true });
    two = await DrillGateway.start(env, { first: one, here: true });
    base = `/api/v4/projects/${one.service.first.project_id}/error_tracking`;
  });
  after(async () => {
    await Promise.all([one.remove(), two.remove()]);
    await databases.dropAll();
  });

  const assertSoon = (milliseconds: number): void => assert.ok(milliseconds <= SEEN_MS, `it took ${milliseconds} ms`);

  async function ask(gateway: DrillGateway, method: string, path: string, body?: object): Promise<Response> {
    const { url, first } = gateway.service;
    return fetch(url + path, {
      method,
      headers: { 'PRIVATE-TOKEN': first.token, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async function send(gateway: DrillGateway, message: string, key?: string, extra = {}): Promise<number> {
    const { url, first } = gateway.service;
    const public_key = key ?? new URL(first.dsn).username;
    const address = `${url}/api/${first.project_id}/store/?sentry_key=${public_key}`;
    const body = JSON.stringify({ message, extra, user: { id: message } });
    const answer = await fetch(address, { method: 'POST', body });
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

  it('an ignored error stays ignored, and counts events of either gateway', async () => {
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
    let id = 0;
    let key = '';
    const make = async (): Promise<void> => {
      const created = await ask(one, 'POST', `${base}/client_keys`);
      ({ id, public_key: key } = (await created.json()) as { id: number; public_key: string });
    };
    const taken = async (): Promise<boolean> => (await send(two, 'keyed', key)) === 200;
    assertSoon(await seenAfter(make, [taken], SEEN_MS));
    const remove = async (): Promise<void> => {
      await make();
      await eventually(taken, Boolean);
      assert.ok((await ask(one, 'DELETE', `${base}/client_keys/${id}`)).ok);
    };
    assertSoon(await seenAfter(remove, [async () => (await send(two, 'keyed', key)) === 403], SEEN_MS));
  });

  it('settings changed on one count on the other within 2 s', async () => {
    const read = async (): Promise<number> => (await ask(two, 'GET', `${base}/errors`)).status;
    const switchOn = async (): Promise<void> => {
      assert.equal((await ask(two, 'PATCH', `${base}/settings`, { active: true })).status, 200);
    };
    const switchOff = async (): Promise<void> => {
      await switchOn();
      await eventually(async () => (await read()) === 200 && (await send(two, 'on')) === 200, Boolean);
      assert.equal((await ask(one, 'PATCH', `${base}/settings`, { active: false })).status, 200);
    };
    const off = [async () => (await read()) === 400, async () => (await send(two, 'switched off')) === 403];
    assertSoon(await seenAfter(switchOff, off, SEEN_MS));
    const refused = async (): Promise<boolean> => (await send(one, 'switched off')) === 403;
    const switchOnAgain = async (): Promise<void> => {
      assert.equal((await ask(one, 'PATCH', `${base}/settings`, { active: false })).status, 200);
      await eventually(refused, Boolean);
      await switchOn();
    };
    assertSoon(await seenAfter(switchOnAgain, [async () => !(await refused())], SEEN_MS));
  });

  it('protection of a project set on one is applied by the other within 2 s', async () => {
    let serial = 0;
    const protect = async (body: object): Promise<void> => {
      assert.equal((await ask(one, 'PUT', `${base}/protection`, body)).status, 200);
    };
    const isHidden = async (): Promise<boolean> => {
      serial += 1;
      const word = `protected${String.fromCharCode(97 + (serial % 26), 97 + Math.floor(serial / 26))}`;
      assert.equal(await send(two, word, undefined, { iban: 'DE02' }), 200);
      const [error] = await eventually(
        () => errorsOf(one, word),
        (rows) => rows.length === 1,
      );
      const path = `${base}/errors/${error?.id ?? ''}/events/latest`;
      const { extra } = (await one.service.get(path)) as { extra: { iban: string } };
      return extra.iban === '[Filtered]';
    };
    const hide = async (): Promise<void> => {
      await protect({ sensitive_fields: [] });
      await eventually(async () => !(await isHidden()), Boolean);
      await protect({ sensitive_fields: ['iban'] });
    };
    // What another test switched off may not be on again everywhere yet.
    const isRead = async (): Promise<boolean> => (await ask(one, 'GET', `${base}/errors`)).ok;
    await eventually(async () => (await send(two, 'sent again')) === 200 && (await isRead()), Boolean);
    assertSoon(await seenAfter(hide, [isHidden], SEEN_MS));
    const limit = async (): Promise<void> => {
      await protect({ key_events_per_minute: null });
      await eventually(async () => (await send(two, 'limited')) === 200, Boolean);
      await protect({ key_events_per_minute: 1 });
    };
    assertSoon(await seenAfter(limit, [async () => (await send(two, 'limited')) === 429], SEEN_MS));
    await protect({ sensitive_fields: [], key_events_per_minute: null });
    await eventually(async () => (await send(two, 'limited')) === 200, Boolean);
  });

  it('a token revoked beside one is refused by the other within 2 s', async () => {
    const env = { ...one.env, ERRGATE_DATA_DIR: one.dataDir };
    let made: { id: number; token: string };
    const status = async (): Promise<number> =>
      (await fetch(`${two.service.url}/api/v4/user`, { headers: { 'PRIVATE-TOKEN': made.token } })).status;
    const revoke = async (): Promise<void> => {
      const created = await runErrgate(['token', 'create', '--user', one.service.first.username, '--json'], env);
      assert.equal(created.code, 0, created.stderr);
      made = JSON.parse(created.stdout) as typeof made;
      assert.equal(await status(), 200);
      assert.equal((await runErrgate(['token', 'revoke', String(made.id)], env)).code, 0);
    };
    assertSoon(await seenAfter(revoke, [async () => (await status()) === 401], SEEN_MS));
  });
});
