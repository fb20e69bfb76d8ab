import assert from 'node:assert/strict';
import { createAlertSetup } from '../../../../src/alerts/alert-setup.ts';
import { createFactSearch } from '../../../../src/alerts/facts/find-facts.ts';
import { nextArm } from '../../../../src/alerts/facts/threshold-watch.ts';
import type { AlertFact } from '../../../../src/domain/alerts/alert-fact.ts';
import { AlertWorld, MINUTE } from '../../../support/dispatch-world.ts';
import { SILENT_LOGGER } from '../../../support/fake-logger.ts';
import { DAY, errorOf, HOUR } from '../../../support/store-data.ts';
import { type OpenedStore, SQLITE } from '../../../support/test-stores.ts';

const many = (group: string, count: number): string[] => Array.from({ length: count }, () => group);

describe('jobs that find facts, and what is told about them', () => {
  let opened: OpenedStore;
  let world: AlertWorld;
  let run: () => Promise<void>;
  beforeEach(async () => {
    opened = await SQLITE.open();
    world = new AlertWorld(opened.store);
    const search = createFactSearch(world.store);
    run = () => search(world.now);
  });
  afterEach(() => opened.dispose());

  const escalations = async (): Promise<AlertFact[]> =>
    (await world.store.listFacts(0, 1000)).filter(({ kind }) => kind === 'escalated');

  it('find a spike once a day, not in the first day of an error', async () => {
    const project = await world.project();
    await world.happen(project, ['old']);
    world.now += 2 * DAY;
    await world.happen(project, [...many('old', 99), ...many('young', 500)]);
    await run();
    assert.deepEqual(await escalations(), []);
    await world.happen(project, ['old']);
    await run();
    await run();
    const [spike, ...more] = await escalations();
    assert.deepEqual(more, []);
    assert.equal(spike?.errorId, (await errorOf(world.store, project, 'old')).id);
    assert.equal(spike.cause.spike?.events, 100);
  });

  it('fire a threshold when it is crossed, and again after a window below half of it', async () => {
    const project = await world.project();
    const threshold = { events: 10, minutes: 60 };
    await world.rules(project, { when: { kinds: [], threshold, users: null } });
    await world.happen(project, many('a', 9));
    await run();
    assert.equal((await escalations()).length, 0);
    await world.happen(project, many('a', 5));
    await run();
    await run();
    assert.equal((await escalations()).length, 1);
    for (let minute = 0; minute < 3 * 60; minute += 5) {
      world.now += 5 * MINUTE;
      await run();
    }
    await world.happen(project, many('a', 12));
    await run();
    const fired = await escalations();
    assert.deepEqual(
      fired.map(({ cause }) => cause),
      [
        { threshold, ruleId: 1 },
        { threshold, ruleId: 1 },
      ],
    );
  });

  it('fire a number of users when it is reached, not for errors that had it before', async () => {
    const project = await world.project();
    const affect = async (group: string, from: number, to: number) => {
      for (let user = from; user < to; user += 1) await world.happen(project, [group], { user: `u${user}` });
    };
    await affect('before', 0, 30);
    world.now += HOUR;
    await world.rules(project, { when: { kinds: [], threshold: null, users: 5 } });
    await run();
    await affect('a', 0, 4);
    await affect('before', 0, 1);
    await run();
    assert.deepEqual(await escalations(), []);
    await affect('a', 4, 6);
    await run();
    await run();
    const [fact, ...more] = await escalations();
    assert.deepEqual(more, []);
    assert.deepEqual(fact?.cause, { users: 5, ruleId: 1 });
  });

  it('keep a threshold quiet while counts swing around it', () => {
    const threshold = { events: 10, minutes: 5 };
    let arm = { projectId: 1, ruleId: 1, errorId: '1', fired: 0, armed: true, belowSince: null as number | null };
    for (let minute = 0; minute < 100; minute += 1) {
      arm = { ...nextArm(arm, minute % 2 === 0 ? 10 : 4, threshold, minute * MINUTE) };
    }
    assert.equal(arm.fired, 1);
  });

  it('tell what waits and why, what became of each fact, and send tests and repeats', async () => {
    const project = await world.project();
    const channel = await world.channel(project);
    const { store, clock, sender } = world;
    const setup = createAlertSetup({
      ...{ store, sender, clock, logger: SILENT_LOGGER, externalUrl: () => 'https://errors.example.org' },
      open: ({ sealed }) => ({ url: sealed, secret: null }),
      tracked: () => Promise.resolve(null),
    });
    const state = async () => (await setup.outlook(project.id)).map((each) => each.state);
    assert.deepEqual(await state(), ['idle']);
    await world.happen(project, ['a']);
    await world.pass(1000);
    assert.deepEqual(await state(), ['gathering']);
    const { id } = await errorOf(store, project, 'a');
    const outcomes = async () => (await setup.history(project.id, id)).map((each) => each.outcomes.map((o) => o.state));
    assert.deepEqual(await outcomes(), [['waiting']]);
    sender.answer = () => ({ outcome: 'refused', answer: 'no' });
    await world.pass(31_000);
    assert.deepEqual(await state(), ['retrying']);
    assert.deepEqual(await outcomes(), [['sending']]);
    await world.pass(MINUTE);
    assert.deepEqual(await outcomes(), [['failed']]);
    assert.deepEqual(await setup.health(), { mail: true, oldestUnsentMs: 0, failed: 1, failing: 1 });
    await world.happen(project, ['b']);
    await world.pass(31_000);
    const [outlook] = await setup.outlook(project.id);
    assert.equal(outlook?.state, 'waiting');
    assert.match(outlook.reason, /^Waits until \d\d:\d\d UTC: 1 message in the last hour\.$/);
    sender.answer = () => ({ outcome: 'sent', answer: '200' });
    const [failed] = await store.listDeliveries({ projectId: project.id, destination: null, limit: 1, after: null });
    assert.equal((await setup.sendAgain(project.id, failed?.id ?? ''))?.state, 'sent');
    assert.deepEqual(await outcomes(), [['sent']]);
    await assert.rejects(setup.sendAgain(project.id, failed?.id ?? ''), { code: 'conflict' });
    assert.equal((await setup.testChannel(project.id, channel.id))?.state, 'sent');
    assert.equal(await setup.testChannel(project.id, channel.id + 1), null);
  });
});
