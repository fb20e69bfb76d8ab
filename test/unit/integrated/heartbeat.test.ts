import assert from 'node:assert/strict';
import { Heartbeat } from '../../../src/integrated/heartbeat.ts';

/** A store that records its calls; `answer` is awaited before each heartbeat counts. */
function listener(answer: () => Promise<void> = () => Promise.resolve()) {
  const calls: string[] = [];
  return {
    calls,
    store: {
      announceGateway: async (id: string, version: string) => {
        await answer();
        calls.push(`${id} ${version}`);
      },
      retireGateway: async (id: string) => {
        calls.push(`${id} gone`);
      },
    },
  };
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('Heartbeat', () => {
  it('writes at once, again and again, and removes its entry at the end', async () => {
    const { store, calls } = listener();
    const heartbeat = new Heartbeat({ store, version: '1.2.3', intervalMs: 1 });
    assert.match(heartbeat.gatewayId, /^[0-9a-f]{32}$/);
    heartbeat.start();
    while (calls.length < 3) await turns();
    await heartbeat.stop();
    const before = calls.length;
    assert.equal(calls.at(-1), `${heartbeat.gatewayId} gone`);
    assert.deepEqual(new Set(calls.slice(0, -1)), new Set([`${heartbeat.gatewayId} 1.2.3`]));
    await turns();
    assert.equal(calls.length, before, 'nothing after the entry is removed');
  });

  it('says nothing when it is stopped before its start', async () => {
    const { store, calls } = listener();
    const heartbeat = new Heartbeat({ store, version: '1' });
    await heartbeat.stop();
    heartbeat.start();
    await turns();
    assert.deepEqual(calls, []);
  });

  it('removes its entry after a write in progress, which would restore it', async () => {
    let heard: () => void = () => undefined;
    const { store, calls } = listener(() => new Promise((resolve) => (heard = resolve)));
    const heartbeat = new Heartbeat({ store, version: '1' });
    heartbeat.start();
    const stopped = heartbeat.stop();
    await turns();
    assert.deepEqual(calls, []);
    heard();
    await stopped;
    assert.deepEqual(calls, [`${heartbeat.gatewayId} 1`, `${heartbeat.gatewayId} gone`]);
  });

  it('survives a store that does not answer, and does not stop the service from ending', async () => {
    const { store } = listener(() => new Promise(() => undefined));
    const heartbeat = new Heartbeat({ store, version: '1' });
    heartbeat.start();
    const began = Date.now();
    await heartbeat.stop();
    assert.ok(Date.now() - began < 5000);
    const deaf = listener(() => Promise.reject(new Error('away')));
    const other = new Heartbeat({ store: deaf.store, version: '1', intervalMs: 1 });
    other.start();
    await turns();
    await other.stop();
    assert.deepEqual(deaf.calls, [`${other.gatewayId} gone`]);
  });
});
