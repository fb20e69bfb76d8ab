import assert from 'node:assert/strict';
import { RecountLimiter } from '../../../../src/storage/merge/recount-limiter.ts';

describe('RecountLimiter', () => {
  it('lets quick counts be made at any time', () => {
    const pace = new RecountLimiter();
    assert.ok(pace.isDue('a', 0));
    pace.counted('a', 20, 0);
    assert.ok(pace.isDue('a', 0));
  });

  it('lets a slow one be repeated at once, because the figure is seen by people', () => {
    const pace = new RecountLimiter();
    pace.counted('a', 400, 0);
    assert.ok(pace.isDue('a', 0));
  });

  it('spaces slow ones out when their burst is used up, each error by itself', () => {
    const pace = new RecountLimiter();
    pace.counted('a', 600, 0);
    pace.counted('a', 500, 600);
    // 1100 ms of 1000 were used, and 600 ms gave 30 back.
    const due = (error: string, at: number): boolean => pace.isDue(error, at);
    assert.deepEqual([due('a', 1999), due('a', 2000), due('b', 600)], [false, true, true]);
    assert.ok(due('a', 60_000));
  });

  it('keeps recounts to a twentieth of the time', () => {
    const pace = new RecountLimiter();
    let used = 0;
    for (let now = 0; now < 600_000; now += 100) {
      if (!pace.isDue('a', now)) continue;
      pace.counted('a', 3000, now);
      used += 3000;
    }
    assert.ok(used <= 600_000 / 20 + 1000 + 3000, `${used} ms`);
  });
});
