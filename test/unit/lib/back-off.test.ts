import assert from 'node:assert/strict';
import { BackOff, sleep } from '../../../src/lib/back-off.ts';

describe('back-off', () => {
  it('doubles up to its bound and begins again after a reset', () => {
    const backOff = new BackOff({ firstMs: 100, maxMs: 500, random: () => 0.999999 });
    assert.deepEqual(
      [1, 2, 3, 4, 5].map(() => Math.round(backOff.next())),
      [100, 200, 400, 500, 500],
    );
    assert.equal(backOff.attempts, 5);
    backOff.reset();
    assert.equal(backOff.attempts, 0);
    assert.equal(Math.round(backOff.next()), 100);
  });

  it('never waits less than half of it', () => {
    const backOff = new BackOff({ firstMs: 100, maxMs: 500, random: () => 0 });
    assert.equal(backOff.next(), 50);
  });

  it('is cut short by the signal', async () => {
    const stopping = new AbortController();
    const slept = sleep(3_600_000, stopping.signal);
    stopping.abort();
    await slept;
  });
});
