import assert from 'node:assert/strict';
import { CategoryPauses } from '../../../../src/integrated/forwarding/category-pauses.ts';

describe('pauses of categories', () => {
  it('follow X-Sentry-Rate-Limits, on any status', () => {
    const pauses = new CategoryPauses();
    assert.deepEqual(pauses.take(200, '60:transaction;session:key, 5:error:organization:quota', '999', 0), [
      'transaction',
      'session',
      'error',
    ]);
    assert.deepEqual(
      ['transaction', 'session', 'error', 'attachment'].map((name) => pauses.waitMs(name, 1000)),
      [59_000, 59_000, 4000, 0],
    );
    assert.equal(pauses.allMs(1000), 0);
  });

  it('cover everything for an empty list, for Retry-After of a 429, and for a bare 429', () => {
    for (const [rateLimits, retryAfter, ms] of [
      ['30::key', null, 30_000],
      [null, '7', 7000],
      [null, 'Thu, 01 Jan 1970 00:00:09 GMT', 9000],
      [null, null, 60_000],
      ['rubbish', 'rubbish', 60_000],
      ['1e9::key', null, 3_600_000],
    ] as const) {
      const pauses = new CategoryPauses();
      assert.deepEqual(pauses.take(429, rateLimits, retryAfter, 0), ['']);
      assert.equal(pauses.allMs(0), ms);
      assert.equal(pauses.waitMs('error', 0), ms);
    }
  });

  it('are not shortened by a later answer, nor begun by Retry-After of another status', () => {
    const pauses = new CategoryPauses();
    pauses.take(429, '60:error:key', null, 0);
    pauses.take(429, '1:error:key', null, 0);
    assert.equal(pauses.waitMs('error', 0), 60_000);
    assert.deepEqual(pauses.take(503, null, '7', 0), []);
    assert.equal(pauses.allMs(0), 0);
  });
});
