import assert from 'node:assert/strict';
import { SignOfLife } from '../../src/sign-of-life.ts';

/** A store that keeps what it was told; `answer` is awaited before each sign counts. */
function listener(answer: () => Promise<void> = () => Promise.resolve()) {
  const told: string[] = [];
  return {
    told,
    store: {
      announceGateway: async (id: string, version: string) => {
        await answer();
        told.push(`${id} ${version}`);
      },
      retireGateway: async (id: string) => {
        told.push(`${id} gone`);
      },
    },
  };
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('SignOfLife', () => {
  it('speaks at once, again and again, and says goodbye', async () => {
    const { store, told } = listener();
    const life = new SignOfLife({ store, version: '1.2.3', intervalMs: 1 });
    assert.match(life.gatewayId, /^[0-9a-f]{32}$/);
    life.start();
    while (told.length < 3) await turns();
    await life.stop();
    const said = told.length;
    assert.equal(told.at(-1), `${life.gatewayId} gone`);
    assert.deepEqual(new Set(told.slice(0, -1)), new Set([`${life.gatewayId} 1.2.3`]));
    await turns();
    assert.equal(told.length, said, 'nothing after the last word');
  });

  it('says nothing when it is stopped before its start', async () => {
    const { store, told } = listener();
    const life = new SignOfLife({ store, version: '1' });
    await life.stop();
    life.start();
    await turns();
    assert.deepEqual(told, []);
  });

  it('says goodbye after the sign that is under way, which would revive it', async () => {
    let heard: () => void = () => undefined;
    const { store, told } = listener(() => new Promise((resolve) => (heard = resolve)));
    const life = new SignOfLife({ store, version: '1' });
    life.start();
    const stopped = life.stop();
    await turns();
    assert.deepEqual(told, []);
    heard();
    await stopped;
    assert.deepEqual(told, [`${life.gatewayId} 1`, `${life.gatewayId} gone`]);
  });

  it('lives on when the store does not hear it, and does not keep a service from stopping', async () => {
    const { store } = listener(() => new Promise(() => undefined));
    const life = new SignOfLife({ store, version: '1' });
    life.start();
    const began = Date.now();
    await life.stop();
    assert.ok(Date.now() - began < 5000);
    const deaf = listener(() => Promise.reject(new Error('away')));
    const other = new SignOfLife({ store: deaf.store, version: '1', intervalMs: 1 });
    other.start();
    await turns();
    await other.stop();
    assert.deepEqual(deaf.told, [`${other.gatewayId} gone`]);
  });
});
