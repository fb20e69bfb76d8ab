import assert from 'node:assert/strict';
import { PerSecondBudget } from '../../../src/lib/per-second-budget.ts';

describe('a budget per second', () => {
  it('begins anew with every second of the clock, also of one that goes back', () => {
    const budget = new PerSecondBudget(2);
    const taken = [5000, 5400, 5999, 6000, 6001, 6002, 3000, 3001, 3002].map((now) => budget.take(now));
    assert.deepEqual(taken, [true, true, false, true, true, false, true, true, false]);
  });
});
