import assert from 'node:assert/strict';
import { Lease } from '../../../src/lib/lease.ts';

const MINUTE = 60_000;

/** Store of one lease in simulated time. */
function world() {
  let now = 0;
  let writes = 0;
  let isAway = false;
  let held: { readonly owner: string; readonly until: number } | null = null;
  const store = {
    async acquireLease(_name: string, owner: string, ttlMs: number) {
      if (isAway) throw new Error('away');
      if (held !== null && held.owner !== owner && held.until > now) return false;
      held = { owner, until: now + ttlMs };
      writes += 1;
      return true;
    },
    async releaseLease(_name: string, owner: string) {
      if (held?.owner === owner) held = null;
      writes += 1;
    },
  };
  const lease = (owner: string, extendMs?: number) =>
    new Lease({ store, name: 'work', owner, steady: () => now, ...(extendMs === undefined ? {} : { extendMs }) });
  return {
    lease,
    pass: (ms: number) => (now += ms),
    writes: () => writes,
    setAway: (away: boolean) => (isAway = away),
  };
}

describe('Lease', () => {
  it('is held by one owner, extended after a third of its time, and written to as seldom', async () => {
    const { lease, pass, writes } = world();
    const [one, two] = [lease('one'), lease('two')];
    assert.equal(await one.hold(), 'taken');
    assert.equal(await two.hold(), 'not_held');
    for (let second = 0; second < 60; second += 1) {
      pass(1000);
      assert.equal(await one.hold(), 'held');
    }
    assert.equal(writes(), 4);
    assert.deepEqual([one.isHeld, two.isHeld], [true, false]);
    assert.equal(await two.hold(), 'not_held');
  });

  it('is extended with each use where it is asked for, so that nearly all of its time is always left', async () => {
    const { lease, pass, writes, setAway } = world();
    const one = lease('one', 0);
    for (let second = 0; second < 10; second += 1) {
      await one.hold();
      pass(1000);
    }
    assert.equal(writes(), 10);
    setAway(true);
    pass(MINUTE - 1001);
    assert.equal(one.isHeld, true);
  });

  it('passes to another process when it ends, or is given up', async () => {
    const { lease, pass } = world();
    const [one, two] = [lease('one'), lease('two')];
    await one.hold();
    pass(MINUTE);
    assert.equal(one.isHeld, false);
    assert.equal(await two.hold(), 'taken');
    assert.equal(await one.hold(), 'not_held');
    await one.release();
    pass(5000);
    assert.equal(await one.hold(), 'not_held', 'what was lost is not given up');
    await two.release();
    assert.equal(await one.hold(), 'not_held', 'tries every five seconds');
    pass(5000);
    assert.equal(await one.hold(), 'taken');
  });

  it('stays held while the store does not answer, until it ends', async () => {
    const { lease, pass, setAway } = world();
    const one = lease('one');
    await one.hold();
    setAway(true);
    pass(MINUTE - 1);
    await assert.rejects(one.hold(), /away/);
    assert.equal(one.isHeld, true);
    pass(1);
    assert.equal(one.isHeld, false);
    setAway(false);
    pass(5000);
    assert.equal(await one.hold(), 'taken');
  });
});
