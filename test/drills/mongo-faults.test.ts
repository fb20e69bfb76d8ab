import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { DrillGateway } from '../support/drill-gateway.ts';
import { DrillLoad } from '../support/drill-load.ts';
import { ANSWERS, type Fault, WRITE_CONCERN_ERROR } from '../support/fault-proxy-faults.ts';
import { FaultProxy } from '../support/fault-proxy.ts';
import { describeOnMongo, TestDatabases } from '../support/mongo-engine.ts';
import { recordResult } from '../support/record-result.ts';

/** Each kind of fault and one outage at least. Full size by 200 (`npm run test:full`). */
const FAULTS = Number(process.env['ERRGATE_TEST_MONGO_FAULTS'] ?? 10);
const SENDERS = 4;
/** What batches are made of. */
const COMMANDS = ['insert', 'update', 'find', 'findAndModify'];
/** Milliseconds a fault waits for its command: after an earlier one the digest may be backing off. */
const HIT_LIMIT_MS = 4000;
/** A command that was thought lost arrives so much later, in milliseconds. */
const LATE_MS = 1500;

/** Created for each use, because a late command comes after its own time. */
const FAULT_MAKERS: readonly (() => Fault)[] = [
  () => ({ kind: 'cut' }),
  () => ({ kind: 'delay', ms: 300 }),
  () => ({ kind: 'drop_answer' }),
  () => ({ kind: 'truncate', bytes: 20 + randomInt(40) }),
  () => ({ kind: 'late', release: wait(LATE_MS) }),
  () => ({ kind: 'answer', body: ANSWERS.notPrimary }),
  () => ({ kind: 'answer', body: ANSWERS.interrupted }),
  () => ({ kind: 'amend', members: WRITE_CONCERN_ERROR }),
];

describeOnMongo('drill: faults between gateway and engine', function (uri) {
  this.timeout(180_000 + FAULTS * 10_000);
  const databases = new TestDatabases(uri);
  let proxy: FaultProxy;
  let gateway: DrillGateway;
  let load: DrillLoad | undefined;

  beforeEach(async () => {
    proxy = await FaultProxy.start({ engine: uri });
    gateway = await DrillGateway.start({
      ERRGATE_STORE_URL: proxy.uri(databases.name()),
      ERRGATE_SECRET_KEY: randomBytes(32).toString('hex'),
    });
  });
  afterEach(async () => {
    load?.halt();
    await gateway.remove();
    await proxy.close();
  });
  after(() => databases.dropAll());

  async function hitOnce(fault: Fault): Promise<boolean> {
    const command = COMMANDS[randomInt(COMMANDS.length)] ?? 'update';
    const injected = proxy.inject({ command, skip: randomInt(3), fault });
    await Promise.race([injected.hit, wait(HIT_LIMIT_MS)]);
    injected.remove();
    return injected.hits > 0;
  }

  it(`${FAULTS} faults in the middle of batches: nothing is lost or duplicated, and every event is answered 200`, async () => {
    load = new DrillLoad([gateway.target]).start(SENDERS);
    let hits = 0;
    for (let round = 0; round < FAULTS; round += 1) {
      const make = FAULT_MAKERS[round % FAULT_MAKERS.length];
      assert.ok(make);
      if (await hitOnce(make())) hits += 1;
      if (round % 10 === 9) {
        proxy.refuse();
        await wait(500);
        proxy.restore();
      }
    }
    proxy.restore();
    await load.stop();
    assert.ok(hits > FAULTS / 2, `only ${hits} of ${FAULTS} faults met a command`);
    assert.deepEqual(load.refusals, []);
    assert.equal(load.retries, 0, 'every event was answered 200');
    await load.assertStored(gateway.service, 120_000);
    // The last late command has come by now; afterwards a new process looks at what it left.
    await wait(LATE_MS);
    assert.equal(await gateway.down('SIGTERM'), 0);
    await gateway.up();
    await load.assertStored(gateway.service);
    recordResult('mongo-fault-drill', { faults: hits, sent: load.sent, lost: 0, doubled: 0 });
    console.log(`      ${hits} faults, ${load.sent} events: 0 lost, 0 doubled`);
  });
});
