import assert from 'node:assert/strict';
import fc from 'fast-check';
import { TokenBucket } from '../../../src/lib/token-bucket.ts';

const MINUTE = 60_000;

describe('token bucket', () => {
  it('begins full, empties, and fills evenly up to the burst', () => {
    const bucket = new TokenBucket({ perMinute: 60, burst: 5 }, 0);
    assert.equal(bucket.available(0), 5);
    bucket.take(5, 0);
    assert.equal(bucket.available(0), 0);
    assert.equal(bucket.wait(1, 0), 1000);
    assert.equal(bucket.available(2500), 2.5);
    assert.equal(bucket.isFull(4999), false);
    assert.equal(bucket.isFull(5000), true);
    assert.equal(bucket.available(60 * MINUTE), 5);
  });

  it('lets more than fits through when it is full, and waits for no more than fits', () => {
    const bucket = new TokenBucket({ perMinute: 60, burst: 5 }, 0);
    assert.equal(bucket.wait(100, 0), 0);
    bucket.take(100, 0);
    assert.equal(bucket.available(0), 0);
    assert.equal(bucket.wait(100, 0), 5000);
  });

  it('takes a clock that jumps back for no time at all, and goes on from there', () => {
    const bucket = new TokenBucket({ perMinute: 60, burst: 10 }, 1000 * MINUTE);
    bucket.take(10, 1000 * MINUTE);
    assert.equal(bucket.available(0), 0);
    assert.equal(bucket.available(3000), 3);
  });

  it('takes back what was taken, up to the burst', () => {
    const bucket = new TokenBucket({ perMinute: 60, burst: 2 }, 0);
    assert.deepEqual([bucket.tryTake(0), bucket.tryTake(0), bucket.tryTake(0)], [true, true, false]);
    bucket.take(-1, 0);
    assert.equal(bucket.available(0), 1);
    bucket.take(-5, 0);
    assert.equal(bucket.available(0), 2);
  });

  it('never lets more through in any span than the burst and what came since', () => {
    const waits = fc.array(fc.integer({ min: 0, max: 5000 }), { minLength: 1, maxLength: 200 });
    const allowance = fc.record({
      perMinute: fc.integer({ min: 1, max: 1000 }),
      burst: fc.integer({ min: 1, max: 50 }),
    });
    fc.assert(
      fc.property(allowance, waits, ({ perMinute, burst }, steps) => {
        const bucket = new TokenBucket({ perMinute, burst }, 0);
        let now = 0;
        let taken = 0;
        for (const step of steps) {
          now += step;
          if (bucket.tryTake(now)) taken += 1;
          assert.ok(taken <= burst + (now * perMinute) / MINUTE + 1e-6);
        }
      }),
    );
  });
});
