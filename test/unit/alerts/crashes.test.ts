import assert from 'node:assert/strict';
import type { AlertDispatcher, DispatchStore } from '../../../src/alerts/dispatcher.ts';
import { AlertWorld, MINUTE, type SimulatedTime } from '../../support/dispatch-world.ts';
import { TAKEN } from '../../support/fake-alert-sender.ts';
import { NOON } from '../../support/store-data.ts';
import { describeOnStores, type OpenedStore } from '../../support/test-stores.ts';

/** Writes that a dispatcher makes; reads change nothing. */
const WRITES = new Set(['saveConversation', 'saveDelivery', 'setMeta', 'silenceFacts', 'acquireLease']);

/** Store of a process that dies at its nth write: before it, or after it without hearing of it. */
function dyingStore(store: DispatchStore, n: number, after: boolean) {
  let writes = 0;
  const proxy = new Proxy(store, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return async (...args: unknown[]): Promise<unknown> => {
        if (WRITES.has(String(name))) writes += 1;
        if (writes > n || (writes === n && !after)) throw new Error('killed');
        const result: unknown = await Reflect.apply(method, target, args);
        if (writes === n && WRITES.has(String(name))) writes += 1;
        if (writes > n) throw new Error('killed');
        return result;
      };
    },
  });
  return { proxy, isDead: () => writes >= n };
}

describeOnStores('gateways that die', (kind) => {
  const time: SimulatedTime = { at: NOON };
  // Each turn takes some milliseconds more where the store is shared.
  const [step, longStep] = kind.shared ? [8000, 30_000] : [1000, 1000];
  let opened: OpenedStore;
  beforeEach(async () => (opened = await kind.open({ now: () => time.at })));
  afterEach(() => opened.dispose());

  for (const after of [false, true]) {
    it(`lose no fact and repeat only messages with the same id, killed ${after ? 'after' : 'before'} any write`, async function () {
      this.timeout(120_000);
      let killed = 0;
      for (let n = 1; n < 40; n += 1) {
        const world = new AlertWorld(opened.store, { time, shared: kind.shared });
        const project = await world.project();
        const [person, channel] = [await world.member(project), await world.channel(project)];
        await world.dispatcher.stop();
        const dying = dyingStore(world.noted(opened.store), n, after);
        world.dispatcher = world.makeDispatcher({ store: dying.proxy });
        await world.happen(project, ['a', 'b']);
        await world.pass(32_000, step);
        await world.happen(project, ['c']);
        await world.pass(2 * MINUTE + 1000, step);
        if (dying.isDead()) killed += 1;
        // Another gateway takes over when the lease has ended.
        world.dispatcher = world.makeDispatcher();
        await world.pass(10 * MINUTE, longStep);
        for (const name of [person.name, channel.name]) {
          const taken = world.sender.attempts.filter(({ recipient }) => recipient.name === name);
          const contents = new Map<string, string>();
          for (const { message } of taken) {
            assert.equal(contents.get(message.id) ?? JSON.stringify(message), JSON.stringify(message));
            contents.set(message.id, JSON.stringify(message));
          }
          const counted = world.sender.taken(name).reduce((sum, { parts }) => sum + (parts[0]?.counts.new ?? 0), 0);
          assert.equal(counted, 3, `killed at write ${n}: ${name} heard of ${counted} of 3 errors`);
          const rows = await world.store.listDeliveries({
            ...{ projectId: project.id, destination: null, limit: 100, after: null },
          });
          const sent = rows.filter((row) => row.name === name && row.state === 'sent');
          assert.equal(sent.length, contents.size, `killed at write ${n}: deliveries of ${name}`);
          if (taken.length > contents.size) assert.ok(taken.some(({ mayRepeat }) => mayRepeat));
        }
        await world.dispatcher.stop();
        await opened.store.deleteProject(project.id);
        if (!dying.isDead()) break;
      }
      assert.ok(killed > 8, `it died ${killed} times`);
    });
  }
});

describeOnStores('two gateways', (kind) => {
  let opened: OpenedStore;
  let world: AlertWorld;
  let both: [AlertDispatcher, AlertDispatcher];
  beforeEach(async () => {
    const time: SimulatedTime = { at: NOON };
    opened = await kind.open({ now: () => time.at });
    world = new AlertWorld(opened.store, { time, shared: true });
    await world.dispatcher.stop();
    both = [world.makeDispatcher(), world.makeDispatcher({ store: world.noted(await opened.other()) })];
  });
  afterEach(async () => {
    for (const gateway of both) await gateway.stop();
    await opened.dispose();
  });

  /** Lets time pass in steps in which these gateways work. */
  async function pass(gateways: readonly AlertDispatcher[], ms: number, stepMs = 1000): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      world.now += stepMs;
      world.steady += stepMs;
      await Promise.all(gateways.map((gateway) => gateway.run()));
      await world.settled();
    }
  }

  it('send each message once, one of them at a time, also when one sleeps and wakes', async () => {
    const project = await world.project();
    const channel = await world.channel(project);
    const [first, second] = both;
    await world.dispatcher.stop();
    await world.happen(project, ['a']);
    await pass([first], 1000);
    await pass(both, 35_000);
    assert.equal(world.sender.attempts.length, 1);
    await world.happen(project, ['b']);
    await pass([second], 4 * MINUTE, 2000);
    assert.equal(world.sender.attempts.length, 2, 'the other takes over');
    await world.happen(project, ['c']);
    await pass(both, 10 * MINUTE, 5000);
    assert.equal(world.sender.attempts.length, 3);
    assert.equal(world.sender.taken(channel.name).length, 3);
  });

  it('send each message once when one is held up amid its work, and finds the lease free', async () => {
    const project = await world.project();
    const channel = await world.channel(project);
    await world.dispatcher.stop();
    // Holds the first gateway up as it reads the next page of facts.
    const held = { up: false, reached: (): void => undefined, goOn: Promise.resolve() };
    const slow = new Proxy(world.noted(opened.store), {
      get(target, name) {
        const method: unknown = Reflect.get(target, name);
        if (name !== 'listFacts' || typeof method !== 'function') return method;
        return async (...args: unknown[]): Promise<unknown> => {
          const facts: unknown = await Reflect.apply(method, target, args);
          if (held.up) {
            held.reached();
            await held.goOn;
          }
          return facts;
        };
      },
    });
    const [, second] = both;
    const first = world.makeDispatcher({ store: slow });
    both = [first, second];
    world.sender.answer = () => ({ outcome: 'retry', answer: '500', afterMs: null });
    await world.happen(project, ['a']);
    await pass([first], 31_000);
    assert.equal(world.sender.attempts.length, 1);
    world.sender.answer = () => TAKEN;
    await world.happen(
      project,
      Array.from({ length: 250 }, (_, index) => `page ${index}`),
    );
    let goOn = (): void => undefined;
    held.goOn = new Promise((resolve) => (goOn = resolve));
    const reached = new Promise<void>((resolve) => (held.reached = resolve));
    held.up = true;
    world.now += 1000;
    world.steady += 1000;
    const turn = first.run();
    await reached;
    // The other one takes over, sends what waits, and stops.
    await pass([second], 10 * MINUTE, 10_000);
    await second.stop();
    const sent = world.sender.attempts.length;
    assert.equal(sent, 3);
    held.up = false;
    goOn();
    await turn;
    await world.settled();
    await pass([first], 10 * MINUTE, 10_000);
    assert.equal(world.sender.attempts.length, sent);
    assert.equal(world.sender.taken(channel.name).length, 2);
  });
});
