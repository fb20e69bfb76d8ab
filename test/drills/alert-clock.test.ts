import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { totalCounts } from '../../src/domain/alerts/alert-message.ts';
import { AlertWorld, MINUTE } from '../support/dispatch-world.ts';
import { TAKEN } from '../support/fake-alert-sender.ts';
import { recordResult } from '../support/record-result.ts';
import { HOUR, NOON } from '../support/store-data.ts';
import { describeOnEveryStore, type OpenedStore } from '../support/test-stores.ts';

/** Jumps of the clock, each with a new error whose alert waits. Full size by 60 (`npm run test:full`). */
const JUMPS = Number(process.env['ERRGATE_TEST_CLOCK_JUMPS'] ?? 6);
/** Milliseconds by the steady clock within which every alert must have arrived after the last jump. */
const LIMIT_MS = 20 * MINUTE;

describeOnEveryStore('drill: clock jumps with alerts waiting', (kind) => {
  let opened: OpenedStore;
  let world: AlertWorld;
  beforeEach(async () => {
    const time = { at: NOON };
    opened = await kind.open({ now: () => time.at });
    world = new AlertWorld(opened.store, { time, shared: kind.shared });
  });
  afterEach(() => opened.dispose());

  it(`${JUMPS} jumps by up to two days, back and forth: each alert arrives once`, async function () {
    this.timeout(60_000 + JUMPS * 20_000);
    const project = await world.project();
    const channel = await world.channel(project);
    const started = world.now;
    // A receiver that is away now and then: its messages wait for another try over a jump.
    world.sender.answer = () => (randomInt(3) === 0 ? { outcome: 'retry', answer: '503', afterMs: null } : TAKEN);
    const jumps: number[] = [];
    for (let index = 0; index < JUMPS; index += 1) {
      await world.happen(project, [`error ${index}`]);
      await world.pass(randomInt(1, 40) * 1000, 5000);
      // Goes back as far as it went ahead, so that the clock stays near the true time.
      const by = index % 2 === 0 ? randomInt(-48, 48) * HOUR : -(jumps.at(-1) ?? 0);
      jumps.push(by);
      world.now += by;
      await world.turn();
    }
    world.sender.answer = () => TAKEN;
    const from = world.steady;
    const arrived = () => world.sender.taken(channel.name).reduce((sum, { parts }) => sum + totalCounts(parts).new, 0);
    while (arrived() < JUMPS && world.steady - from < LIMIT_MS) await world.pass(10_000, 10_000);
    const waitedMs = world.steady - from;
    assert.equal(arrived(), JUMPS, `jumps in hours: ${jumps.map((by) => by / HOUR).join()}`);
    await world.pass(LIMIT_MS, MINUTE);
    assert.equal(arrived(), JUMPS, 'nothing is sent again');
    assert.ok(world.now > started - 49 * HOUR);
    recordResult('alert-clock-drill', { jumps: JUMPS, store: kind.name, lost: 0, doubled: 0, waited_ms: waitedMs });
  });
});
