import assert from 'node:assert/strict';
import { RecountLimiter } from '../../../../src/storage/merge/recount-limiter.ts';

describe('RecountLimiter', () => {
  it('lets quick counts be made at any time', () => {
    const pace = new RecountLimiter();
    assert.ok(pace.isDue('a', 0));
    pace.counted('a', 20, 0);
    assert.ok(pace.isDue('a', 0));
  });

  it('spaces slow ones out, each error by itself, until one is quick again', () => {
    const pace = new RecountLimiter();
    pace.counted('a', 100, 1000);
    assert.deepEqual([pace.isDue('a', 2999), pace.isDue('a', 3000), pace.isDue('b', 1000)], [false, true, true]);
    pace.counted('a', 1, 3000);
    assert.ok(pace.isDue('a', 3000));
  });
});
