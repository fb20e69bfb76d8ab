import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { DrillGateway } from '../support/drill-gateway.ts';
import { DrillLoad } from '../support/drill-load.ts';
import { describeOnOwnEngine, TestDatabases } from '../support/mongo-engine.ts';
import { recordResult } from '../support/record-result.ts';
import { SENDER_REST_MS } from '../support/sender-rest.ts';
import { eventually } from '../support/service-process.ts';

/** Full size by 10 (`npm run test:full`). */
const KILLS = Number(process.env['ERRGATE_TEST_MONGO_KILLS'] ?? 1);
/** Full size by 60. */
const AWAY_SECONDS = Number(process.env['ERRGATE_TEST_MONGO_AWAY_SECONDS'] ?? 5);
const SENDERS = 12;
/** Events of an undisturbed engine. Full size by 4000. */
const EVENTS = Number(process.env['ERRGATE_TEST_MONGO_EVENTS'] ?? 200);
/** Senders go on while the engine starts: what they send then is most of what the store has to take. */
const REST_MS = 4 * SENDER_REST_MS;

interface Asked {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: {
    readonly accepting?: boolean;
    readonly reading?: boolean;
    readonly reason?: string;
    readonly message?: string;
  };
}

describeOnOwnEngine('drill: the engine is killed', function (engine) {
  this.timeout(300_000 + (KILLS * 60 + AWAY_SECONDS * 10) * 1000);
  const databases = new TestDatabases(engine.uri);
  let gateway: DrillGateway;
  let load: DrillLoad | undefined;

  beforeEach(async () => {
    const env = { ERRGATE_STORE_URL: databases.create(), ERRGATE_SECRET_KEY: randomBytes(32).toString('hex') };
    gateway = await DrillGateway.start(env, { here: true });
  });
  afterEach(async () => {
    load?.halt();
    await engine.start();
    await gateway.remove();
  });
  after(() => databases.dropAll());

  async function ask(path: string): Promise<Asked> {
    const { url, first } = gateway.service;
    const answer = await fetch(url + path, { headers: { 'PRIVATE-TOKEN': first.token } });
    const body = (await answer.json()) as Asked['body'];
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body };
  }

  const readable = (): Promise<Asked> => ask('/-/readiness?for=reads');

  /** Looks once more after everything has settled: a late write would show now. */
  async function assertSettled(sent: DrillLoad): Promise<void> {
    await sent.assertStored(gateway.service, 120_000);
    assert.equal(await gateway.down('SIGTERM'), 0);
    await gateway.up();
    await sent.assertStored(gateway.service);
  }

  it(`${KILLS} times under load: nothing is lost or duplicated, and every event is answered 200`, async () => {
    load = new DrillLoad([gateway.target]).start(SENDERS, REST_MS);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const more = EVENTS / 2 + randomInt(EVENTS);
      await load.acknowledgedAtLeast(load.acknowledged + more);
      await engine.kill();
      await load.acknowledgedAtLeast(load.acknowledged + 200);
      await engine.start();
      await eventually(readable, ({ status }) => status === 200, 60_000);
    }
    await load.stop();
    assert.deepEqual(load.refusals, []);
    assert.equal(load.retries, 0, 'the gateway never went away');
    await assertSettled(load);
    recordResult('mongo-engine-drill', { kills: KILLS, away_seconds: 0, sent: load.sent, lost: 0, doubled: 0 });
    console.log(`      ${KILLS} kills of the engine, ${load.sent} events: 0 lost, 0 doubled`);
  });

  it(`for ${AWAY_SECONDS} s under load: events are accepted, reads answer 503 and recover`, async () => {
    load = new DrillLoad([gateway.target]).start(SENDERS, REST_MS);
    await load.acknowledgedAtLeast(EVENTS);
    await engine.kill();
    const gone = Date.now();
    const before = load.acknowledged;
    const errors = `/api/v4/projects/${gateway.service.first.project_id}/error_tracking/errors`;

    const away = await eventually(readable, ({ status }) => status === 503, 30_000);
    assert.equal(away.body.reading, false);
    assert.match(away.body.reason ?? '', /^the store /);
    assert.deepEqual(await ask('/-/readiness').then(({ status, body }) => [status, body.accepting, body.reading]), [
      200,
      true,
      false,
    ]);
    const refused = await ask(errors);
    assert.equal(refused.status, 503);
    assert.match(refused.retryAfter ?? '', /^\d+$/);
    assert.match(refused.body.message ?? '', /store/);

    await wait(Math.max(0, gone + AWAY_SECONDS * 1000 - Date.now()));
    const taken = load.acknowledged - before;
    await engine.start();
    const back = Date.now();
    await eventually(
      () => ask(errors),
      ({ status }) => status === 200,
      60_000,
    );
    const readsAfter = Date.now() - back;
    await load.stop();
    assert.deepEqual(load.refusals, []);
    assert.equal(load.retries, 0, 'every event was answered 200');
    assert.ok(taken > AWAY_SECONDS * 5, `events went on: ${taken} in ${AWAY_SECONDS} s`);
    await assertSettled(load);
    const row = { kills: 1, away_seconds: AWAY_SECONDS, sent: load.sent, lost: 0, doubled: 0 };
    recordResult('mongo-engine-drill', row);
    console.log(
      `      away for ${AWAY_SECONDS} s, ${taken} events taken meanwhile, ${load.sent} in all: 0 lost, 0 doubled; reads were back after ${readsAfter} ms`,
    );
  });
});
