import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { callErrgate } from '../../support/cli-call.ts';
import { buildOnce } from '../../support/cli-process.ts';
import { describeOnMongo, withClient } from '../../support/mongo-engine.ts';
import { MongoServices } from '../../support/mongo-service.ts';
import { eventually, type FirstStart } from '../../support/service-process.ts';

interface Finding {
  readonly check: string;
  readonly status: string;
  readonly message: string;
}

describeOnMongo('gateways on MongoDB: one that does not come back', function (engine) {
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

  const journals = async (from: string): Promise<Finding | undefined> => {
    const { stdout } = await callErrgate(['doctor', '--json'], services.env(from));
    const { checks } = JSON.parse(stdout) as { checks: Finding[] };
    return checks.find(({ check }) => check === 'journals');
  };
  const makeUnseen = () =>
    withClient(services.directUri, async (client) => {
      await client
        .db()
        .collection('slots')
        .updateMany({}, { $set: { seen: Date.now() - 11 * 60_000 } });
    });

  it('leaves a journal that doctor names and drain brings in, once', async () => {
    const a = services.start('a');
    const url = await a.url();
    const first = JSON.parse(readFileSync(join(services.dataDir('a'), 'first-start.json'), 'utf8')) as FirstStart;
    const key = new URL(first.dsn).username;
    const send = async (at: string, message: string): Promise<number> =>
      (
        await fetch(`${at}/api/${first.project_id}/store/?sentry_key=${key}`, {
          method: 'POST',
          body: JSON.stringify({ message }),
        })
      ).status;
    const b = await (await services.serve('b')).url();
    const counted = async (): Promise<number> => {
      const answer = await fetch(`${b}/api/v4/projects/${first.project_id}/error_tracking/errors`, {
        headers: { 'PRIVATE-TOKEN': first.token },
      });
      return answer.ok ? ((await answer.json()) as { count: number }[]).reduce((sum, { count }) => sum + count, 0) : -1;
    };
    assert.equal(await send(url, 'stored'), 200);
    await eventually(counted, (sum) => sum === 1);
    await eventually(
      async () => readFileSync(join(services.dataDir('a'), 'ingest-keys.json'), 'utf8').length,
      (length) => length > 60,
    );

    services.proxy.refuse();
    for (const message of ['one', 'two', 'three']) assert.equal(await send(url, message), 200);
    await a.end('SIGKILL');
    services.proxy.restore();
    await eventually(counted, (sum) => sum === 1);

    await makeUnseen();
    const unseen = await journals('b');
    assert.equal(unseen?.status, 'warn');
    assert.match(unseen.message, /^1 of 1 journal not seen: [0-9a-f]{8} for 1\d min/);

    const drain = () => callErrgate(['journal', 'drain', services.dataDir('a'), '--json'], services.env('b'));
    const drained = await drain();
    assert.equal(drained.code, 0, drained.stderr);
    // The batch before the outage may be looked at once more: what it counted shows before it is confirmed.
    assert.match(drained.stdout, /"stored": [34],\s+"duplicates": 0/);
    assert.deepEqual(JSON.parse((await drain()).stdout), { records: 0, stored: 0, duplicates: 0 });
    await eventually(counted, (sum) => sum === 4);
    assert.equal(await journals('b'), undefined, 'nobody misses a journal that is done');

    const again = await (await services.serve('a')).url();
    assert.equal(await send(again, 'four'), 200);
    await eventually(counted, (sum) => sum === 5);
  });

  it('is distinguished from live gateways, also idle ones, and migrate waits until all have ended', async () => {
    // One without an index is of no use to others.
    await services.remove();
    services = await MongoServices.create(engine, 'new');
    const [a, b] = await Promise.all([services.serve('a'), services.serve('b')]);
    await Promise.all([a.url(), b.url()]);
    const finding = async (name: string): Promise<Finding | undefined> => {
      const { stdout } = await callErrgate(['doctor', '--json'], services.env('c'));
      return (JSON.parse(stdout) as { checks: Finding[] }).checks.find(({ check }) => check === name);
    };
    mkdirSync(services.dataDir('c'), { mode: 0o700 });
    const both = await eventually(
      () => finding('gateways'),
      (found) => found?.message.startsWith('2 gateways are running') === true,
    );
    assert.match(
      both?.message ?? '',
      /\n[0-9a-f]{8}: version \d+\.\d+\.\d+, seen \d+ s ago, clock \d+\.\d s (ahead of|behind)/,
    );
    assert.equal(await finding('journals'), undefined, 'neither holds a slot');

    await withClient(services.directUri, (client) => client.db().collection('errors').dropIndex('by_number'));
    const refused = await callErrgate(['migrate'], services.env('c'));
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /gateways are using this store: [0-9a-f]{8} \(version .*\), [0-9a-f]{8} \(version .*Stop all of them first/,
    );
    assert.deepEqual(await Promise.all([a.end(), b.end()]), [0, 0]);
    const migrated = await callErrgate(['migrate'], services.env('c'));
    assert.equal(migrated.code, 0, migrated.stderr);
  });

  it('is not treated as gone while it is only idle', async () => {
    const a = await services.serve('a');
    const url = await a.url();
    const first = JSON.parse(readFileSync(join(services.dataDir('a'), 'first-start.json'), 'utf8')) as FirstStart;
    const body = '{"message":"x"}';
    const key = new URL(first.dsn).username;
    await fetch(`${url}/api/${first.project_id}/store/?sentry_key=${key}`, { method: 'POST', body });
    await eventually(
      () => journals('a'),
      (finding) => finding?.status === 'ok',
    );
    await a.end();
    await makeUnseen();
    await (await services.serve('a')).url();
    await eventually(
      () => journals('a'),
      (finding) => finding?.status === 'ok',
      60_000,
    );
  });
});
