import assert from 'node:assert/strict';
import { RefusalThrottle } from '../../../../src/gateway/ingest/refusal-throttle.ts';

const FLOODER = '203.0.113.7';
const NEIGHBOUR = '203.0.113.8';

describe('the throttle of refusals', () => {
  let now: number;
  let pauses: { readonly ms: number; readonly end: () => void }[];
  let throttle: RefusalThrottle;
  beforeEach(() => {
    now = 5000;
    pauses = [];
    throttle = new RefusalThrottle({
      clock: { now: () => now },
      pause: (ms) => new Promise<void>((end) => pauses.push({ ms, end })),
    });
  });

  /** Number of delayed refusals among `count`. */
  const refuse = (count: number, address: string | null = FLOODER): number =>
    Array.from({ length: count }, () => throttle.hold(403, () => address)).filter((held) => held !== null).length;
  const waits = () => pauses.map(({ ms }) => ms);

  it('answers a hundred a second at once, and delays the others', async () => {
    assert.equal(refuse(100), 0);
    let answered = false;
    const late = throttle.hold(401, () => FLOODER)?.then(() => (answered = true));
    await Promise.resolve();
    assert.deepEqual([waits(), answered], [[100], false]);
    pauses[0]?.end();
    await late;
    assert.equal(answered, true);
    now = 6000;
    assert.equal(refuse(101), 1);
  });

  it('does not delay a client for the flood of another one', () => {
    assert.equal(refuse(300), 200);
    assert.equal(refuse(100, NEIGHBOUR), 0);
    assert.equal(refuse(100, null), 0);
    assert.equal(refuse(1, null), 1, 'unknown addresses are one');
  });

  it('lets an address wait the longer the more of it wait, for a second at most', async () => {
    refuse(100);
    refuse(300);
    assert.deepEqual(waits().slice(0, 4), [100, 105, 110, 115]);
    assert.equal(waits()[180], 1000);
    assert.equal(waits()[299], 1000);
    refuse(101, NEIGHBOUR);
    assert.equal(waits().at(-1), 100);
    for (const { end } of pauses) end();
    await new Promise(setImmediate);
    refuse(1);
    assert.equal(waits().at(-1), 100);
  });

  it('never delays accepted, too large and limited requests, and temporary refusals', () => {
    refuse(100);
    for (const status of [200, 204, 400, 413, 415, 429, 503])
      assert.equal(
        throttle.hold(status, () => FLOODER),
        null,
      );
    for (const status of [401, 403, 404, 405])
      assert.notEqual(
        throttle.hold(status, () => FLOODER),
        null,
      );
  });

  it('delays at most a thousand at a time', async () => {
    refuse(100);
    refuse(100, NEIGHBOUR);
    assert.equal(refuse(990), 990);
    assert.equal(refuse(30, NEIGHBOUR), 10);
    for (const { end } of pauses) end();
    await new Promise(setImmediate);
    assert.equal(refuse(1), 1);
  });

  it('distinguishes ten thousand addresses and drops the one that was refused longest ago', () => {
    refuse(100);
    for (let i = 0; i < 9999; i += 1) void throttle.hold(403, () => `address ${i}`);
    assert.equal(refuse(1), 1);
    for (let i = 0; i < 10_000; i += 1) void throttle.hold(403, () => `another ${i}`);
    assert.equal(refuse(1), 0);
  });
});
