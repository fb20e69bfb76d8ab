import assert from 'node:assert/strict';
import { TokenUses } from '../../../src/auth/token-use.ts';

const MINUTE = 60_000;

function setUp() {
  const clock = { at: 1_700_000_000_000, now: () => clock.at };
  const state = { written: [] as [number, number][], away: false };
  const store = {
    touchToken: async (id: number, usedAt: number) => {
      if (state.away) throw new Error('away');
      state.written.push([id, usedAt]);
    },
  };
  return { clock, state, uses: new TokenUses({ store, clock }), began: clock.at };
}

describe('uses of access tokens', () => {
  it('cost at most one write in ten minutes for each token', async () => {
    const { clock, state, uses, began } = setUp();
    uses.note({ id: 1, lastUsedAt: null });
    clock.at += 10 * MINUTE - 1;
    uses.note({ id: 1, lastUsedAt: null });
    uses.note({ id: 2, lastUsedAt: null });
    clock.at += 1;
    uses.note({ id: 1, lastUsedAt: began });
    await uses.flushed();
    assert.deepEqual(state.written, [
      [1, began],
      [2, began + 10 * MINUTE - 1],
      [1, began + 10 * MINUTE],
    ]);
  });

  it('cost none where another process has written the use', async () => {
    const { clock, state, uses, began } = setUp();
    uses.note({ id: 1, lastUsedAt: began - 10 * MINUTE + 1 });
    await uses.flushed();
    assert.deepEqual(state.written, []);
    clock.at += 1;
    uses.note({ id: 1, lastUsedAt: began - 10 * MINUTE + 1 });
    await uses.flushed();
    assert.deepEqual(state.written, [[1, began + 1]]);
  });

  it('are written again a minute after the store refused one', async () => {
    const { clock, state, uses } = setUp();
    state.away = true;
    uses.note({ id: 1, lastUsedAt: null });
    await uses.flushed();
    state.away = false;
    clock.at += MINUTE - 1;
    uses.note({ id: 1, lastUsedAt: null });
    await uses.flushed();
    assert.deepEqual(state.written, []);
    clock.at += 1;
    uses.note({ id: 1, lastUsedAt: null });
    await uses.flushed();
    assert.deepEqual(state.written, [[1, clock.at]]);
  });
});
