import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildOnce } from '../../support/cli-process.ts';
import { describeOnMongo } from '../../support/mongo-engine.ts';
import { MongoServices } from '../../support/mongo-service.ts';
import { eventually, type FirstStart } from '../../support/service-process.ts';
import type { ServiceChild } from '../../support/service-child.ts';

interface Readiness {
  readonly accepting: boolean;
  readonly reading: boolean;
  readonly reason?: string;
}

describeOnMongo('gateways on MongoDB: starting', function (engine) {
  this.timeout(300_000);
  let services: MongoServices;
  before(async function () {
    this.timeout(120_000);
    await buildOnce();
  });
  beforeEach(async () => {
    services = await MongoServices.create(engine);
  });
  afterEach(() => services.remove());
  /** Replaces the database of this test by one that nobody has set up yet. */
  const givenNewDatabase = async (): Promise<void> => {
    await services.remove();
    services = await MongoServices.create(engine, 'new');
  };

  const firstStartOf = (name: string): FirstStart =>
    JSON.parse(readFileSync(join(services.dataDir(name), 'first-start.json'), 'utf8')) as FirstStart;
  const send = async (url: string, first: FirstStart, { key = new URL(first.dsn).username, extra = {} } = {}) =>
    fetch(`${url}/api/${first.project_id}/store/?sentry_key=${key}`, {
      method: 'POST',
      body: JSON.stringify({ message: 'x', extra }),
    });
  const readiness = async (url: string): Promise<Readiness> =>
    (await (await fetch(`${url}/-/readiness`)).json()) as Readiness;
  const counts = async (url: string, first: FirstStart): Promise<number> => {
    const answer = await fetch(`${url}/api/v4/projects/${first.project_id}/error_tracking/errors`, {
      headers: { 'PRIVATE-TOKEN': first.token },
    });
    if (!answer.ok) return -answer.status;
    return ((await answer.json()) as { count: number }[]).reduce((sum, { count }) => sum + count, 0);
  };
  async function readyAndSetUp(child: Pick<ServiceChild, 'url'>): Promise<string> {
    const url = await child.url();
    await eventually(
      () => readiness(url),
      ({ reading }) => reading,
    );
    return url;
  }

  it('accepts only events with known keys while the database is unavailable, protects them, and serves all afterwards', async () => {
    const before = await services.serve('a');
    await readyAndSetUp(before);
    const first = firstStartOf('a');
    const snapshot = join(services.dataDir('a'), 'ingest-keys.json');
    await eventually(
      async () => existsSync(snapshot) && readFileSync(snapshot, 'utf8').includes(`,1,${first.project_id}]`),
      Boolean,
    );
    assert.equal(statSync(snapshot).mode & 0o777, 0o600);
    assert.ok(!readFileSync(snapshot, 'utf8').includes(new URL(first.dsn).username));
    const headers = { 'PRIVATE-TOKEN': first.token, 'Content-Type': 'application/json' };
    const base = `/api/v4/projects/${first.project_id}/error_tracking`;
    const body = JSON.stringify({ sensitive_fields: ['iban'], key_events_per_minute: 5 });
    const saved = await fetch(`${await before.url()}${base}/protection`, { method: 'PUT', headers, body });
    assert.equal(saved.status, 200);
    // Written while it runs, so that a kill does not lose it.
    await eventually(
      () => Promise.resolve(readFileSync(snapshot, 'utf8')),
      (text) => text.includes('iban'),
    );
    assert.equal(await before.end(), 0);

    services.proxy.refuse();
    const child = await services.serve('a');
    const url = await child.url();
    assert.match(child.stderr, /waiting for the store: the store at 127\.0\.0\.1:\d+ cannot be reached/);
    const state = await readiness(url);
    assert.deepEqual([state.accepting, state.reading], [true, false]);
    assert.match(state.reason ?? '', /cannot be reached/);
    assert.equal((await fetch(`${url}/-/readiness?for=reads`)).status, 503);
    const statuses = [];
    for (let index = 0; index < 6; index += 1) {
      statuses.push((await send(url, first, { extra: { iban: `DE0${index}` } })).status);
    }
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429]);
    const unknown = await send(url, first, { key: 'nobody' });
    assert.equal(unknown.status, 503);
    assert.ok(Number(unknown.headers.get('retry-after')) > 0);
    const read = await fetch(`${url}/api/v4/projects/1/error_tracking/errors`, {
      headers: { 'PRIVATE-TOKEN': first.token },
    });
    assert.equal(read.status, 503);
    assert.ok(Number(read.headers.get('retry-after')) > 0);
    assert.match(((await read.json()) as { message: string }).message, /cannot be reached/);

    services.proxy.restore();
    assert.equal(
      await eventually(
        () => counts(url, first),
        (sum) => sum === 5,
        60_000,
      ),
      5,
    );
    await eventually(
      async () => (await send(url, first, { key: 'nobody' })).status,
      (status) => status === 403,
    );
    assert.deepEqual(await readiness(url), { accepting: true, reading: true });
    const get = async (path: string) => (await fetch(url + base + path, { headers })).json();
    const [error] = (await get('/errors')) as { id: string }[];
    const events = (await get(`/errors/${error?.id ?? ''}/events`)) as { event_id: string }[];
    for (const { event_id: id } of events) {
      const { extra } = (await get(`/errors/${error?.id ?? ''}/events/${id}`)) as { extra: object };
      assert.deepEqual(extra, { iban: '[Filtered]' });
    }
    assert.equal(events.length, 5);
    assert.equal(await child.end(), 0);
  });

  it('waits for a database that was never available, refuses sign-in, and makes the first start when it is there', async () => {
    await givenNewDatabase();
    services.proxy.refuse();
    const child = services.start('a');
    const url = await child.url();
    assert.match(child.stderr, /first start .* follows/);
    assert.match(child.stderr, /"reason":"the store at 127\.0\.0\.1:\d+ cannot be reached/);
    assert.doesNotMatch(child.stderr, /"stack"|\n\s+at /, 'an absent database is no fault of the program');
    const early = await fetch(`${url}/api/1/store/?sentry_key=x`, { method: 'POST', body: '{}' });
    assert.equal(early.status, 503);
    assert.ok(Number(early.headers.get('retry-after')) > 0);
    assert.equal((await fetch(`${url}/-/readiness`)).status, 503);
    const state = await readiness(url);
    assert.deepEqual([state.accepting, state.reading], [false, false]);
    assert.match(state.reason ?? '', /no client key is known/);
    services.proxy.restore();
    await child.printed(/First start: created an administrator/);
    const first = firstStartOf('a');
    // A change of keys counts within two seconds; until then an SDK is asked to come again.
    await eventually(
      async () => (await send(url, first)).status,
      (status) => status === 200,
    );
    await eventually(
      () => counts(url, first),
      (sum) => sum === 1,
    );
  });

  it('stops within its time although the database is away', async () => {
    services.proxy.refuse();
    const child = await services.serve('a');
    await child.url();
    const began = Date.now();
    assert.equal(await child.end(), 0);
    // Far below the minutes that a database may be away.
    assert.ok(Date.now() - began < 25_000);
  });

  it('makes one first start where two gateways start at once, with two forms of one secret key, and both serve it', async () => {
    await givenNewDatabase();
    const base64 = Buffer.from(services.secretKey, 'hex').toString('base64');
    const children = await Promise.all([services.serve('a'), services.serve('b', { ERRGATE_SECRET_KEY: base64 })]);
    const urls = await Promise.all(children.map(readyAndSetUp));
    const made = ['a', 'b'].filter((name) => existsSync(join(services.dataDir(name), 'first-start.json')));
    assert.equal(made.length, 1);
    for (const name of ['a', 'b']) {
      await eventually(
        async () => existsSync(join(services.dataDir(name), 'first-start-plan.json')),
        (left) => !left,
      );
    }
    const first = firstStartOf(made[0] ?? '');
    for (const url of urls) assert.equal((await send(url, first)).status, 200);
    for (const url of urls)
      await eventually(
        () => counts(url, first),
        (sum) => sum === 2,
      );
  });

  it('takes one of two different secret keys where two gateways start at once, and stops the other', async () => {
    await givenNewDatabase();
    const children = await Promise.all([
      services.serve('a'),
      services.serve('b', { ERRGATE_SECRET_KEY: randomBytes(32).toString('hex') }),
    ]);
    const stopped = await Promise.race(children.map((child) => child.ended.then(() => child)));
    assert.match(stopped.stderr, /set up with another secret key/);
    const [other] = children.filter((child) => child !== stopped);
    assert.ok(other !== undefined);
    await readyAndSetUp(other);
  });

  it('answers at once and accepts events while the database does not answer', async () => {
    const url = await readyAndSetUp(await services.serve('a'));
    const first = firstStartOf('a');
    await eventually(
      async () => (await send(url, first)).status,
      (status) => status === 200,
    );
    services.proxy.blackhole();
    const began = Date.now();
    assert.deepEqual((await fetch(`${url}/-/readiness?for=reads`)).status, 503);
    assert.equal((await readiness(url)).accepting, true);
    assert.equal((await send(url, first)).status, 200);
    // Well below the 30 s after which a silent connection is given up.
    assert.ok(Date.now() - began < 15_000);
    services.proxy.restore();
    await eventually(
      () => counts(url, first),
      (sum) => sum === 2,
      90_000,
    );
  });

  const refusals: [what: string, env: () => NodeJS.ProcessEnv, message: RegExp][] = [
    ['no secret key', () => ({ ERRGATE_SECRET_KEY: '' }), /ERRGATE_SECRET_KEY is required with a MongoDB store/],
    ['an address that is none', () => ({ ERRGATE_STORE_URL: 'mongodb:user:hunter2@host' }), /store\.url/],
  ];
  for (const [what, env, message] of refusals) {
    it(`stops with one clear message: ${what}`, async () => {
      const child = await services.serve('a', env());
      assert.equal(await child.ended, 1, child.stderr);
      assert.equal(child.stdout, '');
      assert.match(child.stderr, message);
      assert.doesNotMatch(child.stderr, /hunter2|\n\s+at /);
      assert.equal(
        child.stderr
          .trim()
          .split('\n')
          .filter((line) => line.startsWith('errgate:')).length,
        1,
      );
    });
  }
});
