import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { DrillGateway } from '../support/drill-gateway.ts';
import { DrillLoad } from '../support/drill-load.ts';
import { describeOnMongo, TestDatabases } from '../support/mongo-engine.ts';
import { recordResult } from '../support/record-result.ts';
import { SENDER_REST_MS } from '../support/sender-rest.ts';

/** Kills per gateway. Full size by 20 (`npm run test:full`). */
const KILLS = Number(process.env['ERRGATE_TEST_CRASH_ROUNDS'] ?? 1);
/** Events that four gateways take at once; before a kill come fewer. Full size by 4000. */
const EVENTS = Number(process.env['ERRGATE_TEST_MONGO_EVENTS'] ?? 200);

describeOnMongo('drill: several gateways on one database', function (uri) {
  this.timeout(300_000 + KILLS * 60_000);
  const databases = new TestDatabases(uri);
  let gateways: DrillGateway[];
  let load: DrillLoad | undefined;

  async function startGateways(number: number, here = false): Promise<void> {
    const env = { ERRGATE_STORE_URL: databases.create(), ERRGATE_SECRET_KEY: randomBytes(32).toString('hex') };
    const first = await DrillGateway.start(env, { here });
    gateways.push(first);
    const others = Array.from({ length: number - 1 }, () => DrillGateway.start(env, { first, here }));
    gateways.push(...(await Promise.all(others)));
  }

  /** Through every gateway, after all of them have drained their journals. */
  async function assertSettled(sent: DrillLoad): Promise<void> {
    const [first] = gateways;
    assert.ok(first !== undefined);
    await sent.assertStored(first.service, 120_000);
    const codes = await Promise.all(gateways.map((gateway) => gateway.down('SIGTERM')));
    assert.deepEqual(new Set(codes), new Set([0]));
    await first.up({ here: true });
    await sent.assertStored(first.service);
  }

  function record(number: number, kills: number, { sent, retries }: DrillLoad): void {
    recordResult('mongo-gateways-drill', { gateways: number, kills, sent, sent_again: retries, lost: 0, doubled: 0 });
  }

  beforeEach(() => {
    gateways = [];
  });
  afterEach(async () => {
    load?.halt();
    await Promise.all(gateways.map((gateway) => gateway.remove()));
  });
  after(() => databases.dropAll());

  it(`two, each killed ${KILLS} times at random: the other one accepts unanswered events, and counts them once`, async () => {
    await startGateways(2);
    load = new DrillLoad(gateways.map(({ target }) => target)).start(12, SENDER_REST_MS);
    const sent = load;
    const killAtRandom = async (gateway: DrillGateway): Promise<void> => {
      for (let kill = 0; kill < KILLS; kill += 1) {
        await sent.acknowledgedAtLeast(sent.acknowledged + 200 + randomInt(Math.ceil((EVENTS * 3) / 8)));
        await gateway.down('SIGKILL');
        await gateway.up({ here: kill === KILLS - 1 });
      }
    };
    await Promise.all(gateways.map(killAtRandom));
    await load.acknowledgedAtLeast(load.acknowledged + EVENTS / 2);
    await load.stop();
    assert.deepEqual(load.refusals, []);
    await assertSettled(load);
    record(2, 2 * KILLS, load);
    console.log(`      ${2 * KILLS} kills, ${load.sent} events, ${load.retries} sent again: 0 lost, 0 doubled`);
  });

  it('four that see the same new errors at once make each of them once', async () => {
    await startGateways(4, true);
    load = new DrillLoad(gateways.map(({ target }) => target)).start(16);
    await load.acknowledgedAtLeast(EVENTS);
    await load.stop();
    assert.deepEqual(load.refusals, []);
    await assertSettled(load);
    record(4, 0, load);
  });
});
