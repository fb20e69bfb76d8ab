import assert from 'node:assert/strict';
import type { DispatchStore } from '../../../src/alerts/dispatcher.ts';
import { AlertWorld, MINUTE, openSimulated, type SimulatedTime } from '../../support/dispatch-world.ts';
import { NOON } from '../../support/store-data.ts';
import type { OpenedStore } from '../../support/test-stores.ts';

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

describe('gateways that die', () => {
  const time: SimulatedTime = { at: NOON };
  let opened: OpenedStore;
  beforeEach(async () => (opened = await openSimulated(time)));
  afterEach(() => opened.dispose());

  for (const after of [false, true]) {
    it(`lose no fact and repeat only messages with the same id, killed ${after ? 'after' : 'before'} any write`, async function () {
      this.timeout(120_000);
      let killed = 0;
      for (let n = 1; n < 40; n += 1) {
        const world = new AlertWorld(opened.store, time);
        const project = await world.project();
        const [person, channel] = [await world.member(project), await world.channel(project)];
        await world.dispatcher.stop();
        const dying = dyingStore(opened.store, n, after);
        world.dispatcher = world.makeDispatcher({ store: dying.proxy });
        await world.happen(project, ['a', 'b']);
        await world.pass(32_000);
        await world.happen(project, ['c']);
        await world.pass(2 * MINUTE + 1000);
        if (dying.isDead()) killed += 1;
        // Another gateway takes over when the lease has ended.
        world.dispatcher = world.makeDispatcher();
        await world.pass(10 * MINUTE);
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

describe('two gateways', () => {
  const time: SimulatedTime = { at: NOON };
  let opened: OpenedStore;
  beforeEach(async () => (opened = await openSimulated(time)));
  afterEach(() => opened.dispose());

  it('send each message once, one of them at a time, also when one sleeps and wakes', async () => {
    const world = new AlertWorld(opened.store, time);
    const project = await world.project();
    const channel = await world.channel(project);
    await world.dispatcher.stop();
    const [first, second] = [world.makeDispatcher({ shared: true }), world.makeDispatcher({ shared: true })];
    const both = { run: () => Promise.all([first.run(), second.run()]).then(() => undefined) };
    const pass = async (who: { run: () => Promise<void> }, ms: number) => {
      for (let passed = 0; passed < ms; passed += 1000) {
        world.now += 1000;
        world.steady += 1000;
        await who.run();
      }
    };
    await world.happen(project, ['a']);
    await pass(both, 35_000);
    assert.equal(world.sender.attempts.length, 1);
    await world.happen(project, ['b']);
    await pass(second, 4 * MINUTE);
    assert.equal(world.sender.attempts.length, 2, 'the other takes over');
    await world.happen(project, ['c']);
    await pass(both, 10 * MINUTE);
    assert.equal(world.sender.attempts.length, 3);
    assert.equal(world.sender.taken(channel.name).length, 3);
    await first.stop();
    await second.stop();
  });
});
